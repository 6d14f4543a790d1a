/* SPDX-License-Identifier: MIT */
/* What every OpenMP test program needs: its regions, with the work of each thread as the thread
 * itself measures it, and the counts of its constructs as the program's author knows them. end()
 * says all of it as one JSON object, where truth.h says it: on the last line of stdout or in the
 * file that TRUTH_FILE names. A wrong result makes the exit status 1.
 *
 *   struct region_run run = REGION();
 *   #pragma omp parallel
 *   {
 *           struct stretch mine = stretch_begin();
 *           burn(0.001);
 *           stretch_end(&run, &mine);
 *   }
 *   region_end(&run);
 *
 * REGION() stands on the line before the pragma, since both are known by their function and line.
 * That line is the one of the outlined function's entry in programs of gcc (12 gives the call of
 * GOMP_parallel no line of its own, so that a return address says an earlier one), and the one of
 * the call of __kmpc_fork_call in programs of clang. Work is what stands between the two calls of a
 * stretch: its CPU time, which holds on a machine with too few processors as well, and its elapsed
 * time, which decides when the region ends. A stretch contains no waiting, or the program says
 * so. */
#pragma once
#include "../truth.h"

#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>

enum { REGIONS_MOST = 48, COUNTS_MOST = 48, THREADS_MOST = 16 };

struct thread_truth {
	long long stretches;
	double cpu, elapsed;
};

struct region_truth {
	const char *routine;
	int line, team;
	long long executions;
	double elapsed;
	struct thread_truth threads[THREADS_MOST];
};

struct count_truth {
	const char *construct;
	long long count;
};

/* One execution of a region, on the stack of the thread that meets it. */
struct region_run {
	struct region_truth *region;
	double started;
};

struct stretch {
	double cpu, elapsed;
};

static struct region_truth region_truths[REGIONS_MOST];
static struct count_truth count_truths[COUNTS_MOST];
static int mistakes;
/* Of the two tables, between the threads of a team and of nested teams. No lock of OpenMP or of
 * pthread: it would be a synchronization of the program. */
static bool truth_lock;

static inline void lock_truth(void)
{
	while (__atomic_test_and_set(&truth_lock, __ATOMIC_ACQUIRE))
		sched_yield();
}

static inline void unlock_truth(void)
{
	__atomic_clear(&truth_lock, __ATOMIC_RELEASE);
}

/* Uses CPU time, to some microseconds: finer than BURN, for iterations of few microseconds. */
static inline void burn(double seconds)
{
	double stop = cpu() + seconds;
	do
		for (volatile int i = 0; i < 500; i = i + 1)
			;
	while (cpu() < stop);
}

/* Waits for another thread of the team without a call of OpenMP. */
static inline void await_yielding(const volatile int *word, int least)
{
	while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < least)
		sched_yield();
}

static inline void check(bool is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	__atomic_add_fetch(&mistakes, 1, __ATOMIC_RELAXED);
}

static inline struct region_run region_begin(const char *routine, int line)
{
	lock_truth();
	struct region_truth *region = region_truths;
	while (region->routine && (strcmp(region->routine, routine) || region->line != line))
		region++;
	if (region >= region_truths + REGIONS_MOST - 1)
		abort();
	region->routine = routine;
	region->line = line;
	unlock_truth();
	struct region_run run;
	run.region = region;
	run.started = now();
	return run;
}

#define REGION() region_begin(__func__, __LINE__ + 1)

static inline void region_end(const struct region_run *run)
{
	double elapsed = now() - run->started;

	lock_truth();
	run->region->executions++;
	run->region->elapsed += elapsed;
	unlock_truth();
}

static inline struct stretch stretch_begin(void)
{
	struct stretch stretch;
	stretch.elapsed = now();
	stretch.cpu = cpu();
	return stretch;
}

static inline void stretch_end(const struct region_run *run, const struct stretch *stretch)
{
	double used = cpu() - stretch->cpu, elapsed = now() - stretch->elapsed;
	struct thread_truth *thread = &run->region->threads[omp_get_thread_num() % THREADS_MOST];

	lock_truth();
	run->region->team = omp_get_num_threads();
	thread->stretches++;
	thread->cpu += used;
	thread->elapsed += elapsed;
	unlock_truth();
}

/* The construct has been met so often more, all threads together: as a number, not by the way. */
static inline void counted(const char *construct, long long count)
{
	lock_truth();
	struct count_truth *row = count_truths;
	while (row->construct && strcmp(row->construct, construct))
		row++;
	if (row >= count_truths + COUNTS_MOST - 1)
		abort();
	row->construct = construct;
	row->count += count;
	unlock_truth();
}

/* Which runtime is there, whatever the compiler was: libomp also serves programs of gcc. */
static inline const char *runtime_name(void)
{
	return dlsym(RTLD_DEFAULT, "__kmpc_fork_call") ? "libomp" : "libgomp";
}

static inline void tell_threads(FILE *file, const struct region_truth *region)
{
	int most = region->team < THREADS_MOST ? region->team : THREADS_MOST;

	for (int i = 0; i < most; i++) {
		const struct thread_truth *thread = &region->threads[i];
		fprintf(file,
			"%s{\"stretches\": %lld, \"cpu_seconds\": %.9f, \"elapsed_seconds\": %.9f}",
			i ? ", " : "", thread->stretches, thread->cpu, thread->elapsed);
	}
}

static inline void tell_regions(FILE *file)
{
	for (const struct region_truth *region = region_truths; region->routine; region++) {
		fprintf(file,
			"%s{\"routine\": \"%s\", \"line\": %d, \"count\": %lld, \"team\": %d, \"elapsed_seconds\": %.9f, \"threads\": [",
			region == region_truths ? "" : ", ", region->routine, region->line,
			region->executions, region->team, region->elapsed);
		tell_threads(file, region);
		fprintf(file, "]}");
	}
}

static inline void tell_counts(FILE *file)
{
	for (const struct count_truth *row = count_truths; row->construct; row++)
		fprintf(file, "%s\"%s\": %lld", row == count_truths ? "" : ", ", row->construct,
			row->count);
}

/* The program's last call; its exit status. */
static inline int end(void)
{
	char *text;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	if (!file)
		abort();
	fprintf(file, "{\"runtime\": \"%s\", \"pid\": %d, \"processors\": %d, \"regions\": [",
		runtime_name(), (int)getpid(), omp_get_num_procs());
	tell_regions(file);
	fprintf(file, "], \"counts\": {");
	tell_counts(file);
	fprintf(file, "}, \"facts\": %s}}\n", truth_text);
	fclose(file);
	truth_write(getenv("TRUTH_FILE"), text);
	free(text);
	return mistakes ? 1 : 0;
}
