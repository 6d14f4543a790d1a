/* SPDX-License-Identifier: MIT */
/* What other programs took from a run. */
#include "analyze/diff/extract.h"
#include "analyze/model/run/run_others.h"

#include <math.h>

/* Where that is not counted: where a program has more threads than processors, they are ready
 * beside each other: for as long as those that run had all processors, so many as are beyond them.
 * The rest is others' doing. */
static double inferred_ns(const struct run *run, double threads)
{
	double processors = (double)run->processors, beyond = fmax(0, threads - processors);
	double own = processors > 0 ? (double)run->cpu_ns / processors * beyond : 0;

	return processors > 0 ? fmax(0, (double)run->ready_ns - own) : 0;
}

/* As the kernel counted it. What its ticks cannot tell from nothing may have been taken as well, as
 * far as threads were ready for it: all there is of a run of some ticks. */
static double taken_ns(const struct run *run, double threads)
{
	struct run_others others = run_others_of(run);
	double inferred = inferred_ns(run, threads);

	if (!isfinite(others.others_ns))
		return inferred;
	return others.others_ns > others.error_ns
		       ? fmin((double)run->ready_ns, others.others_ns)
		       : fmin(inferred, others.others_ns + others.error_ns);
}

static double longest_ready_ns(const struct run *run)
{
	double longest = 0;

	for (size_t i = 0; i < run->process_count; i++)
		for (size_t j = 0; j < run->processes[i].thread_count; j++)
			longest = fmax(longest, (double)run->processes[i].threads[j].ready_ns);
	return longest;
}

/* As much elapsed time as a thread lost on average, or that one which lost most: others may have
 * waited for it. Threads beyond the processors wait for each other as well: what was taken from one
 * processor all of them lost. */
struct load extract_load(const struct run *run, double threads)
{
	double taken = taken_ns(run, threads), ready = (double)run->ready_ns;
	double elapsed = (double)run->elapsed_ns, cpu = (double)run->cpu_ns;

	if (!(taken > 0) || !(threads > 0) || !(elapsed > 0))
		return (struct load){0};
	double longest = longest_ready_ns(run) * taken / ready;
	double at_once = fmin(threads, fmax(1, (double)run->processors));

	return (struct load){
		.elapsed_ns = fmin(elapsed, fmax(taken / at_once, longest)),
		.share = taken / (taken + cpu),
		.processors = fmin(taken / elapsed, (double)run->processors),
	};
}
