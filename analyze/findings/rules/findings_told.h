/* SPDX-License-Identifier: MIT */
/* Nothing is told twice. Special rules tell of objects (finding_tell_object); the general ones,
 * which come later in finding_rules.def, see the run without the waits for these. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct finding;
struct finding_rule;
struct run;

/* The severity that the rule finds in what is not told yet. found: by the rules before, count of
 * them. */
double findings_judge_untold(const struct finding_rule *rule, const struct run *run,
			     const struct finding *found, size_t count, struct finding *finding);
/* Is all of the finding told by another one, whatever the object? */
bool findings_is_told_by(const struct finding *general, const struct finding *special);
