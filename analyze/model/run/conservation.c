/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/conservation.h"

#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/run.h"

/* A thread's CPU clock is read a little later than its last sample. */
#define SAMPLE_SLACK_NS 1000000

void conservation_check_blame(const struct profile *profile, struct text_list *notes)
{
	uint64_t waited[CAUSE_LIMIT] = {0}, blamed[CAUSE_LIMIT] = {0};

	for (size_t i = 0; i < profile->waits.count; i++)
		waited[profile->waits.rows[i].cause] += profile->waits.rows[i].sum_ns;
	for (size_t i = 0; i < profile->blame.count; i++)
		blamed[profile->blame.rows[i].cause] += profile->blame.rows[i].time_ns;
	/* Nobody in the program is to blame for sleep, child processes, signals, MPI, and input and
	 * output. Waits of OpenMP that have a row are for its locks. */
	for (size_t cause = CAUSE_MUTEX; cause < CAUSE_COUNT; cause++)
		if ((cause <= CAUSE_JOIN || cause == CAUSE_OPENMP || cause == CAUSE_FUTEX) &&
		    waited[cause] != blamed[cause])
			text_list_add(
				notes,
				"process %u: %.6f s of %s waits, but %.6f s of blame for them",
				profile->header.pid, (double)waited[cause] / 1e9,
				vocabulary_cause(cause), (double)blamed[cause] / 1e9);
}

void conservation_check_openmp(const struct profile *profile, struct text_list *notes)
{
	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &profile->omp_executions.rows[i];
		uint64_t parts = row->fork_ns + row->work_ns + row->wait_ns + row->join_ns;
		uint64_t whole = row->team * row->elapsed_ns;

		if (row->members == row->team * row->count && parts != whole)
			text_list_add(notes,
				      "process %u: %.6f s of teams in an OpenMP region, but %.6f s "
				      "of fork, work, wait and join",
				      profile->header.pid, (double)whole / 1e9,
				      (double)parts / 1e9);
	}
}

static void check_share(struct text_list *notes, uint64_t shares_ns, uint64_t whole_ns,
			const char *what)
{
	if (shares_ns != whole_ns)
		text_list_add(notes, "%.6f s %s, but routines have %.6f s of it",
			      (double)whole_ns / 1e9, what, (double)shares_ns / 1e9);
}

void conservation_check_shares(const struct run *run, struct text_list *notes)
{
	uint64_t executing_ns = 0, sequential_ns = 0, elapsed_ns = 0, alone_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *process = &run->processes[i];

		/* without T_i there are only samples; profiles that cannot be read have none */
		if (!process->is_concurrency_known)
			return;
		executing_ns += process->executing_ns;
		sequential_ns += process->sequential_ns;
	}
	for (size_t i = 0; i < run->routines.count; i++) {
		elapsed_ns += run->routines.rows[i].elapsed_ns;
		alone_ns += run->routines.rows[i].alone_ns;
	}
	check_share(notes, elapsed_ns, executing_ns, "with a thread on a processor");
	check_share(notes, alone_ns, sequential_ns, "with one thread on a processor");
}

void conservation_check_samples(uint64_t sampled_excess_ns, struct text_list *notes)
{
	if (sampled_excess_ns > SAMPLE_SLACK_NS)
		text_list_add(notes, "samples claim %.6f s more CPU time than the threads used",
			      (double)sampled_excess_ns / 1e9);
}
