/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding_rules.h"

#include "analyze/memory.h"
#include "analyze/model/finding_rules_mpi.h"
#include "analyze/model/finding_rules_openmp.h"
#include "analyze/model/run.h"
#include "analyze/model/runtime_code.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS(ns) ((double)(ns) / 1e9)

static double capacity_ns(const struct run *run)
{
	return (double)run->elapsed_ns * (double)run->processors;
}

/* Share of the processors' time in which none of the program's threads did useful work, percent. */
static double unused_percent(const struct run *run)
{
	double used = run->efficiency_percent;

	if (run->process_count == 1 && isfinite(run->useful.efficiency_percent))
		used = fmin(used, run->useful.efficiency_percent);
	return fmax(0, 100 - used);
}

static double share_of_unused(const struct run *run, double lost_ns)
{
	return fmin(100 * lost_ns / capacity_ns(run), unused_percent(run));
}

/* ---- waits for objects */

/* MPI libraries have locks between their own threads, mostly while MPI starts: nothing that a
 * program could do better. */
static bool is_of_library(const struct run *run, const struct sync_row *row)
{
	return row->waiters.count &&
	       runtime_is_mpi(names_routine(run->names, row->waiters.rows[0].routine)->module);
}

static bool is_cause(const struct sync_row *row, const enum cause *causes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (row->wait_ns && row->cause == causes[i])
			return true;
	return false;
}

/* "1.2 s of waiting for queue_lock, mostly in f (x.c:1); held by g (x.c:2) (90 %)" */
char *finding_wait_evidence(const struct run *run, const struct sync_row *row, const char *verb,
			    const char *blame_verb)
{
	const char *name = run->synchronization.names[row->object];
	const struct sync_site *site = row->waiters.rows;
	char *waiter = site ? names_place_text(run->names, site->routine, site->line)
			    : memory_copy_text("an unknown place");
	char *blamed = NULL, *text;

	if (row->blame.count) {
		site = &row->blame.rows[0];
		char *place = names_place_text(run->names, site->routine, site->line);
		bool is_code = *names_routine(run->names, site->routine)->module;

		blamed = memory_print("; %s%s%s (%.0f %%)", is_code ? blame_verb : "",
				      is_code ? " " : "", place,
				      100 * (double)site->time_ns / (double)row->wait_ns);
		free(place);
	}
	text = memory_print("%.3g s %s %s, mostly in %s%s", SECONDS(row->wait_ns), verb, name,
			    waiter, blamed ? blamed : "");
	free(waiter);
	free(blamed);
	return text;
}

/* The rows come with the longest wait first: the first of a cause is the one to fix. */
static double judge_waits(const struct run *run, struct finding *finding, const enum cause *causes,
			  size_t count, const char *verb, const char *blame_verb)
{
	const struct sync_row *worst = NULL;
	double wait_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_cause(row, causes, count) || is_of_library(run, row))
			continue;
		wait_ns += (double)row->wait_ns;
		if (!worst)
			worst = row;
	}
	if (worst)
		finding->evidence = finding_wait_evidence(run, worst, verb, blame_verb);
	return share_of_unused(run, wait_ns);
}

static double judge_locks(const struct run *run, struct finding *finding)
{
	static const enum cause causes[] = {CAUSE_MUTEX, CAUSE_RWLOCK, CAUSE_SPINLOCK};

	return judge_waits(run, finding, causes, 3, "of waiting for", "held by");
}

static double judge_barriers(const struct run *run, struct finding *finding)
{
	static const enum cause causes[] = {CAUSE_BARRIER};

	return judge_waits(run, finding, causes, 1, "of waiting at", "the last to come was in");
}

static double judge_conditions(const struct run *run, struct finding *finding)
{
	static const enum cause causes[] = {CAUSE_CONDITION, CAUSE_SEMAPHORE};

	return judge_waits(run, finding, causes, 2, "of waiting for", "woken by");
}

/* ---- concurrency */

static const struct routine_time *most_alone(const struct run *run)
{
	const struct routine_time *best = NULL;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];

		if (row->self_ns && (!best || row->alone_ns > best->alone_ns))
			best = row;
	}
	return best && best->alone_ns ? best : NULL;
}

static double judge_sequential(const struct run *run, struct finding *finding)
{
	const struct process *focus = run->focus;
	uint64_t processors = focus->file->process.processors;
	uint64_t alone_ns = efficiency_level_ns(&run->on_processor, 1);
	const struct routine_time *row = most_alone(run);

	/* One thread only: that there are no others is another finding. Of several ranks one alone
	   says nothing of the job. Of teams the regions know why. */
	if (run->mpi.ranks.count > 1 || is_told_by_openmp(run))
		return NAN;
	if (focus->file->process.threads_started < 2 || processors < 2)
		return NAN;
	/* While others wait for a lock, that is the cause, not the work that is done meanwhile. */
	double locked_ns = (double)run->synchronization.wait_ns_by_cause[CAUSE_MUTEX] +
			   (double)run->synchronization.wait_ns_by_cause[CAUSE_RWLOCK];
	double lost_ns = (double)alone_ns * (double)(processors - 1) - locked_ns;

	if (row) {
		char *place = names_place_text(run->names, row->routine, row->line);

		finding->evidence = memory_print(
			"one thread alone for %.3g s (%.0f %% of the time); most of it in %s: %.3g s",
			SECONDS(alone_ns), run->on_processor.sequential_percent, place,
			SECONDS(row->alone_ns));
		free(place);
	} else {
		finding->evidence =
			memory_print("one thread alone for %.3g s (%.0f %% of the time)",
				     SECONDS(alone_ns), run->on_processor.sequential_percent);
	}
	return share_of_unused(run, fmax(0, lost_ns));
}

/* Threads that may have been alive at once; processes that come one after the other are not told
 * apart. Of ranks without the helpers that the MPI library starts for itself. */
static uint64_t threads_at_once(const struct run *run)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].rank == MPI_NO_RANK)
			threads += run->processes[i].file->process.threads_peak;
	return threads + run->mpi.efficiency.units;
}

/* If nobody else ran, a thread was ready only while others of the program had all processors, and
 * no more were ready at once than there are threads beyond them. Where they would have had to run
 * for longer than they did (leaving 20 % to errors of measurement), somebody else ran. */
bool is_shared_with_others(const struct run *run)
{
	double threads = (double)threads_at_once(run), processors = (double)run->processors;

	return threads <= processors || (double)run->cpu_ns < 0.8 * processors *
								      (double)run->ready_ns /
								      (threads - processors);
}

/* Of the elapsed time. */
#define READY_SHARE_MIN 0.05

static double judge_oversubscription(const struct run *run, struct finding *finding)
{
	double ready = (double)run->ready_ns, wanted = ready + (double)run->cpu_ns;

	/* an instant of readiness is no problem, however little the program ran */
	if (wanted <= 0 || ready < READY_SHARE_MIN * (double)run->elapsed_ns ||
	    is_rank_oversubscribed(run) || is_omp_oversubscribed(run))
		return NAN;
	if (is_shared_with_others(run)) {
		finding->title = "other programs use the processors";
		finding->advice = "Measure on an idle machine, or with processors of the program's "
				  "own (taskset).";
	}
	finding->evidence = memory_print("threads were ready to run, but without a processor, for "
					 "%.3g s; up to %llu threads on %llu processors",
					 SECONDS(ready), (unsigned long long)threads_at_once(run),
					 (unsigned long long)run->processors);
	return 100 * ready / wanted;
}

static double judge_too_few_threads(const struct run *run, struct finding *finding)
{
	uint64_t threads = threads_at_once(run);

	if (!threads || !run->processors || threads >= run->processors)
		return NAN;
	finding->evidence = memory_print("never more than %llu thread%s for %llu processors",
					 (unsigned long long)threads, threads > 1 ? "s" : "",
					 (unsigned long long)run->processors);
	return fmin(unused_percent(run), 100 * (1 - (double)threads / (double)run->processors));
}

/* ---- threads */

/* Waits of a process that a wrapped call explains. */
static double explained_ns(const struct thread_time *sum)
{
	double ns = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		if (cause != CAUSE_MPI && cause != CAUSE_OTHER && cause != CAUSE_SLEEP)
			ns += (double)sum->by_cause_ns[cause];
	return ns;
}

/* The helpers of an MPI library are blocked all their lives; the waits of a rank are those of its
 * other threads. What is left of them can be no wrapped wait. */
static void add_blocked(const struct run *run, double *other, double *sleep)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct thread_time *sum = &run->processes[i].sum;

		if (run->processes[i].rank != MPI_NO_RANK)
			continue;
		*other += (double)sum->by_cause_ns[CAUSE_OTHER];
		*sleep += (double)sum->by_cause_ns[CAUSE_SLEEP];
	}
	for (size_t i = 0; i < run->mpi.ranks.count; i++) {
		const struct mpi_rank *rank = &run->mpi.ranks.rows[i];
		const struct thread_time *sum = &run->processes[rank->process].sum;
		double waits = fmax(0, (double)rank->wait_ns - explained_ns(sum));
		double asleep = fmin((double)sum->by_cause_ns[CAUSE_SLEEP], waits);

		*sleep += asleep;
		*other += fmin((double)sum->by_cause_ns[CAUSE_OTHER], waits - asleep);
	}
}

static double judge_blocked(const struct run *run, struct finding *finding)
{
	double other = 0, sleep = 0;

	add_blocked(run, &other, &sleep);
	finding->evidence = memory_print(
		"%.3g s in input and output, page faults and other system calls, %.3g s asleep",
		SECONDS(other), SECONDS(sleep));
	return share_of_unused(run, other + sleep);
}

static double judge_imbalance(const struct run *run, struct finding *finding)
{
	const struct imbalance *worst = &run->imbalance;

	if (!worst->count)
		return NAN;
	char *place = names_place_text(run->names, worst->start.routine, worst->start.line);

	finding->evidence = memory_print(
		"%zu threads started in %s used %.3g s of CPU time on average, thread %llu %.3g s",
		worst->count, place, worst->sum_ns / (double)worst->count / 1e9,
		(unsigned long long)worst->longest_tid, worst->max_ns / 1e9);
	free(place);
	return share_of_unused(run, worst->lost_ns);
}

/* From causes to symptoms: of two findings that weigh the same, the earlier is named first. */
const struct finding_rule finding_rules[] = {
	/* MPI: 5 % as for waits of threads; 10 % for a place, and 20 % for communication as a whole
	   (POP calls an efficiency above 80 % good), as some time in MPI is its price */
	{"rank-oversubscription", "more ranks than processors", 20, judge_rank_oversubscription,
	 "Start no more ranks than there are processors; or let MPI calls yield theirs (Open MPI: "
	 "--mca mpi_yield_when_idle 1)."},
	{"rank-imbalance", "ranks have unequal work", 5, judge_ranks,
	 "Share the work out evenly over the ranks; the section ranks shows who has more."},
	{"late-rank", "ranks wait for the last one in collective calls", 5, judge_collectives,
	 "Balance the work in front of these calls, or need fewer of them."},
	{"late-sender", "ranks wait for messages", 5, judge_late_sender,
	 "Send earlier, or receive later: post MPI_Irecv first and work until the message is needed."},
	{"small-messages", "many small messages", 5, judge_small_messages,
	 "Put what goes to the same rank into one message, or use a collective call."},
	{"communication", "ranks spend their time in MPI", 20, judge_communication,
	 "See mpi_sites for where: fewer and larger messages, calls that overlap with work, larger "
	 "parts for each rank."},
	{"mpi-start", "start and end of MPI take much of the time", 20, judge_mpi_life,
	 "Judge the job by a longer run."},
	{"mpi-site", "much time in one place that calls MPI", 10, judge_mpi_site,
	 "Find in peers and collectives whom it waits for; let work and communication overlap."},
	/* OpenMP: as for MPI and for waits of threads. 10 % of serial time: with two processors the
	   price of a fifth of the time alone */
	{"omp-oversubscription", "OpenMP teams are larger than the number of processors", 20,
	 judge_omp_oversubscription,
	 "Set OMP_NUM_THREADS to the number of processors, OMP_DYNAMIC=true, or OMP_MAX_ACTIVE_LEVELS=1 "
	 "where regions are nested."},
	{"omp-spinning", "OpenMP threads spin while others want to run", 5, judge_omp_spinning,
	 "Set OMP_WAIT_POLICY=passive (LLVM's runtime: KMP_BLOCKTIME=0), or run fewer threads."},
	{"omp-imbalance", "members of OpenMP teams have unequal work", 5, judge_omp_imbalance,
	 "Share the work out on demand: schedule(dynamic) or schedule(guided), smaller chunks or tasks; "
	 "the section openmp says what for each region."},
	{"omp-lock", "OpenMP threads wait for each other's locks", 5, judge_omp_locks,
	 "Do less under the lock, or give each part of the data a lock of its own."},
	{"omp-serial", "OpenMP teams have nothing to do", 10, judge_omp_serial,
	 "Make what runs outside of regions parallel too, or overlap it with them."},
	{"omp-short-regions", "OpenMP regions are short", 5, judge_omp_short_regions,
	 "Put one parallel around several loops, or use if(n > ...) where there is little to do."},
	{"omp-small-pieces", "OpenMP loops are handed out in small pieces", 5,
	 judge_omp_small_pieces, "Use larger chunks: schedule(dynamic, N)."},
	{"omp-small-tasks", "OpenMP tasks are small", 5, judge_omp_small_tasks,
	 "Make fewer, larger tasks: none below a size (if, final), or taskloop grainsize(N)."},
	{"omp-blocking", "OpenMP threads are put to sleep for short waits", 5, judge_omp_blocking,
	 "Set OMP_WAIT_POLICY=active, or for libgomp GOMP_SPINCOUNT to some 100000."},
	{"too-few-threads", "fewer threads than processors", 10, judge_too_few_threads,
	 "Share the work out to more threads, as many as there are processors."},
	{"lock-contention", "threads wait for locks", 5, judge_locks,
	 "Shorten what is done under the lock, split the lock, or give each thread data of its own."},
	{"sequential", "a part runs alone", 5, judge_sequential,
	 "Make this routine parallel, or let it overlap with other work."},
	{"imbalance", "work is shared unevenly", 5, judge_imbalance,
	 "Give out smaller pieces of work, on demand."},
	{"barrier-wait", "threads wait at barriers", 5, judge_barriers,
	 "Balance the work between barriers, or need fewer of them."},
	{"condition-wait", "threads wait to be woken", 5, judge_conditions,
	 "Give them work earlier: larger or more queues, more producers, less done before the signal."},
	{"oversubscription", "more threads than processors", 20, judge_oversubscription,
	 "Run as many threads as there are processors; more only take turns."},
	{"blocked", "threads are blocked outside of locks", 10, judge_blocked,
	 "Overlap input, output and sleep with work in other threads, or make them rarer."},
};
const size_t finding_rule_count = sizeof finding_rules / sizeof *finding_rules;
