/* SPDX-License-Identifier: MIT */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/findings/rules/finding_rules_allocator.h"
#include "analyze/findings/rules/finding_rules_atomic.h"
#include "analyze/findings/rules/finding_rules_blocked.h"
#include "analyze/findings/rules/finding_rules_bound.h"
#include "analyze/findings/rules/finding_rules_busy.h"
#include "analyze/findings/rules/finding_rules_counters.h"
#include "analyze/findings/rules/finding_rules_gil.h"
#include "analyze/findings/rules/finding_rules_grain.h"
#include "analyze/findings/rules/finding_rules_io.h"
#include "analyze/findings/rules/finding_rules_items.h"
#include "analyze/findings/rules/finding_rules_lock_io.h"
#include "analyze/findings/rules/finding_rules_maps.h"
#include "analyze/findings/rules/finding_rules_mpi.h"
#include "analyze/findings/rules/finding_rules_mpi_late.h"
#include "analyze/findings/rules/finding_rules_mpi_messages.h"
#include "analyze/findings/rules/finding_rules_mpi_polls.h"
#include "analyze/findings/rules/finding_rules_mpi_ready.h"
#include "analyze/findings/rules/finding_rules_nested.h"
#include "analyze/findings/rules/finding_rules_omp_locks.h"
#include "analyze/findings/rules/finding_rules_openmp.h"
#include "analyze/findings/rules/finding_rules_pipeline.h"
#include "analyze/findings/rules/finding_rules_pools.h"
#include "analyze/findings/rules/finding_rules_priority.h"
#include "analyze/findings/rules/finding_rules_rwlock.h"
#include "analyze/findings/rules/finding_rules_spin.h"
#include "analyze/findings/rules/finding_rules_stage.h"
#include "analyze/findings/rules/finding_rules_threads.h"
#include "analyze/findings/rules/finding_rules_wait.h"
#include "analyze/findings/rules/finding_rules_wakeup.h"

const struct finding_rule finding_rules[] = {
#define RULE(id, kind, from, judge, title, reason, advice)                                         \
	{id, title, FINDING_##kind, from, reason, judge_##judge, advice},
#include "analyze/findings/rules/finding_rules.def"
#undef RULE
};
const size_t finding_rule_count = sizeof finding_rules / sizeof *finding_rules;
