/* SPDX-License-Identifier: MIT */
/* Reductions of loops, tasks and taskloops, with operators of the language and of the user. Known:
 * the results, and how many constructs and tasks are met. A reduction is no wait of its own, but
 * some of these have entry points of their own in the runtimes. */
#include "omp_truth.h"

enum { ITERATIONS = 1000, TASKS = 30, LOOP_TASKS = 5, EXECUTIONS = 3 };
static const long long sum_of_all = (long long)ITERATIONS * (ITERATIONS - 1) / 2;

struct range {
	long least, most;
};

static inline void widen(struct range *range, const struct range *by)
{
	range->least = by->least < range->least ? by->least : range->least;
	range->most = by->most > range->most ? by->most : range->most;
}

#pragma omp declare reduction(widened                                                              \
			      : struct range                                                       \
			      : widen(&omp_out, &omp_in)) initializer(omp_priv = omp_orig)

static NOINLINE void of_the_user(void)
{
	struct range range = {5, 5};
	struct region_run run = REGION();
#pragma omp parallel for reduction(widened : range) schedule(static, 7)
	for (long i = -ITERATIONS; i < ITERATIONS; i++) {
		struct range one = {i, i};
		widen(&range, &one);
	}
	region_end(&run);
	check(range.least == -ITERATIONS && range.most == ITERATIONS - 1, "the user's reduction");
	KEEP;
}

/* Several variables in one construct, among them an array. */
static NOINLINE void of_the_language(void)
{
	long long sum = 0, tens[10] = {0};
	int least = 0;
	double total = 0;
	struct region_run run = REGION();
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum, total, tens[:10]) reduction(min : least) schedule(dynamic, 10)
		for (int i = 0; i < ITERATIONS; i++) {
			sum += i;
			total += i;
			tens[i % 10]++;
			least = -i < least ? -i : least;
		}
	}
	region_end(&run);
	check(sum == sum_of_all && total == (double)sum_of_all, "sums");
	check(least == 1 - ITERATIONS && tens[9] == ITERATIONS / 10, "a least, and an array");
	KEEP;
}

static NOINLINE void of_a_group(void)
{
	long long sum = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < TASKS; i++)
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
	}
	region_end(&run);
	check(sum == (long long)TASKS * (TASKS - 1) / 2, "a reduction of tasks");
	KEEP;
}

static NOINLINE void of_a_taskloop(void)
{
	long long sum = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) num_tasks(LOOP_TASKS)
	for (int i = 0; i < ITERATIONS; i++)
		sum += i;
	region_end(&run);
	check(sum == sum_of_all, "a reduction of a taskloop");
	KEEP;
}

/* The region, and a loop in it, reduce what tasks give. */
static NOINLINE void of_a_region_by_tasks(void)
{
	long long sum = 0, in_loop = 0;
	struct region_run run = REGION();
#pragma omp parallel reduction(task, + : sum)
	{
#pragma omp single
		for (int i = 0; i < TASKS; i++)
#pragma omp task in_reduction(+ : sum)
			sum++;
#pragma omp for reduction(task, + : in_loop) schedule(static)
		for (int i = 0; i < TASKS; i++)
#pragma omp task in_reduction(+ : in_loop)
			in_loop++;
	}
	region_end(&run);
	check(sum == TASKS && in_loop == TASKS, "a region's reduction by tasks");
	KEEP;
}

int main(void)
{
	int team = omp_get_max_threads();

	for (int i = 0; i < EXECUTIONS; i++) {
		of_the_user();
		of_the_language();
		of_a_group();
		of_a_taskloop();
		of_a_region_by_tasks();
	}
	counted("for", 3LL * EXECUTIONS * team);
	counted("single", 3LL * EXECUTIONS * team);
	counted("task", 3LL * EXECUTIONS * TASKS);
	counted("taskgroup", EXECUTIONS);
	counted("taskloop", EXECUTIONS);
	counted("taskloop_task", EXECUTIONS * LOOP_TASKS);
	return end();
}
