/* SPDX-License-Identifier: MIT */
/* Rules on input and output: waiting for it, and too many calls for what they transfer. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_called.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- many calls for few bytes */

static bool is_one_of(const char *kind, const char *const *kinds)
{
	while (*kinds && strcmp(kind, *kinds) != 0)
		kinds++;
	return *kinds != NULL;
}

/* Messages and counters have the size that they have, those of sockets too, which are answered one
 * by one; what is read from a pipe is as long as what was written; and stdio has a buffer. */
static bool can_be_larger(const struct run *run, const struct sync_row *row)
{
	static const char *const fixed[] = {"eventfd", "timerfd", "signalfd", "inotify",
					    "queue",   "socket",  NULL};
	static const char *const streams[] = {"pipe", "terminal", NULL};
	const char *kind = run->synchronization.objects[row->object].kind;

	if (is_one_of(kind, fixed) ||
	    (is_one_of(kind, streams) && io_direction_of(row->operation) == IO_READ))
		return false;
	return row->operation >= OP_READ && row->operation <= OP_SENDMMSG;
}

static bool is_small(const struct run *run, const struct sync_row *row)
{
	return can_be_larger(run, row) && row->io.calls &&
	       (double)row->io.bytes < finding_limits.small_io * (double)row->io.calls;
}

struct small_io {
	double calls, bytes;
	double other_calls, other_bytes; /* of larger ones */
	const struct sync_row *most;     /* with the most calls */
};

static struct small_io small_of(const struct run *run)
{
	struct small_io all = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (row->operation < OP_READ || row->operation > OP_SENDMMSG)
			continue;
		if (!is_small(run, row)) {
			all.other_calls += (double)row->io.calls;
			all.other_bytes += (double)row->io.bytes;
			continue;
		}
		all.calls += (double)row->io.calls;
		all.bytes += (double)row->io.bytes;
		if (!all.most || row->io.calls > all.most->io.calls)
			all.most = row;
	}
	return all;
}

static double system_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += (double)run->processes[i].sum.system_ns;
	return ns;
}

void finding_add_small_io(const struct run *run, struct finding *finding, const char *kind)
{
	struct finding_shares routines = {0}, objects = {0};
	double calls = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_small(run, row) ||
		    (kind && strcmp(run->synchronization.objects[row->object].kind, kind)))
			continue;
		calls += (double)row->io.calls;
		finding_shares_add(&objects, row->object, 0, (double)row->io.calls);
		for (size_t j = 0; j < row->callers.count; j++)
			finding_share_place(&routines, run, row->callers.rows[j].routine,
					    row->callers.rows[j].line,
					    (double)row->callers.rows[j].sums.calls);
	}
	finding_add_shared_routine(finding, run, &routines, calls);
	finding_add_shared_object(finding, run, &objects);
}

static void tell_of_small(const struct run *run, struct finding *finding,
			  const struct small_io *all)
{
	const struct sync_row *row = all->most;
	const char *name = run->synchronization.names[row->object];

	finding->evidence = memory_print(
		"%s calls that read or wrote %s each on average, most of them %s of %s",
		quantity_count(all->calls).text,
		quantity_size((uint64_t)(all->bytes / all->calls + 0.5)).text,
		vocabulary_call(row->operation), name);
	finding_add_small_io(run, finding, NULL);
}

/* libc's names of a call: __GI___libc_read, __read_nocancel. */
static bool is_transfer(const char *name)
{
	static const char *const calls[] = {
		"read",  "pread",    "pread64",  "readv",  "preadv",  "preadv64",  "preadv2",
		"write", "pwrite",   "pwrite64", "writev", "pwritev", "pwritev64", "pwritev2",
		"recv",  "recvfrom", "recvmsg",  "send",   "sendto",  "sendmsg",   NULL};
	static const char *const before[] = {"__GI_", "__libc_", "__", NULL};
	char call[16];

	for (size_t i = 0; before[i]; i++)
		if (!strncmp(name, before[i], strlen(before[i])))
			name += strlen(before[i]);
	size_t length = strcspn(name, "_");

	if (length >= sizeof call || (name[length] && strcmp(name + length, "_nocancel")))
		return false;
	memcpy(call, name, length);
	call[length] = 0;
	return is_one_of(call, calls);
}

/* CPU time of the small calls by samples; 0: not known. Samples do not tell small calls from large
 * ones. */
static double sampled_ns(const struct run *run, const struct small_io *all)
{
	bool are_nearly_all = all->other_calls < finding_limits.part * all->calls &&
			      all->other_bytes < all->bytes;

	return are_nearly_all ? finding_sampled_ns(run, is_transfer) : 0;
}

/* What the calls cost beyond those that would do, and where samples do not say it, never more than
 * all system time. */
double judge_small_io(const struct run *run, struct finding *finding)
{
	struct small_io all = small_of(run);
	double more = all.calls - all.bytes / finding_limits.small_io;

	if (all.calls <= finding_limits.small_ios)
		return NAN;
	double known_ns = sampled_ns(run, &all) * more / all.calls;
	double guess_ns = fmin(more * finding_limits.io_call, system_ns(run));

	tell_of_small(run, finding, &all);
	finding->grade = GRADE_ESTIMATED;
	const struct finding_loss loss = {.work_ns = known_ns > 0 ? known_ns : guess_ns};

	return finding_stake(run, finding, &loss);
}

/* ---- waits */

/* Who reads a pipe or a socket waits for a process, not for a device. */
static bool is_for_sender(const struct run *run, const struct sync_row *row)
{
	static const char *const sent[] = {"pipe", "socket", NULL};

	return is_one_of(run->synchronization.objects[row->object].kind, sent) &&
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
