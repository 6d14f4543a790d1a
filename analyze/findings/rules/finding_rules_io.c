/* SPDX-License-Identifier: MIT */
/* The rule on input and output that is waited for. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

/* Who reads a pipe or a socket waits for a process, not for a device. */
static bool is_for_sender(const struct run *run, const struct sync_row *row)
{
	const char *kind = run->synchronization.objects[row->object].kind;

	return (!strcmp(kind, "pipe") || !strcmp(kind, "socket")) &&
	       io_direction_of(row->operation) == IO_READ;
}

/* Waits in a pipeline are those of the rules on pipelines. */
double judge_io(const struct run *run, struct finding *finding)
{
	struct finding_waiting sum =
		finding_judge_waits(run, finding, FINDING_IO, "of waiting for", "by");

	if (!sum.worst)
		return NAN;
	if (is_for_sender(run, sum.worst))
		finding->advice = "Look at who sends it, and ask earlier or for more at once; the "
				  "sections connections and io show who and where.";
	double others_ns = fmax(finding_pipeline_blocked_ns(run, FINDING_IO),
				finding_stage_blocked_ns(run, FINDING_IO));
	double lost_ns = finding_lost_by_waits(run, finding, FINDING_IO, &sum) - others_ns;

	return finding_stake_of_waits(run, finding, FINDING_IO, fmax(0, lost_ns));
}
