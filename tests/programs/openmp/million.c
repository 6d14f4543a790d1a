/* SPDX-License-Identifier: MIT */
/* million [COUNT [THREADS]]: an empty region executed so often (10^6 times by 2 threads): what a
 * region costs, and whether each is counted. Each thread counts its own executions. Where other
 * programs take the processors, teams that spin take ten times as long and more: there, a smaller
 * count will do. */
#include "omp_truth.h"

static struct {
	long long count;
	char apart[120];
} entered[THREADS_MOST];

static NOINLINE void empty(int threads)
{
#pragma omp parallel num_threads(threads)
	entered[omp_get_thread_num()].count++;
	KEEP;
}

int main(int argc, char **argv)
{
	long long executions = argc > 1 ? atoll(argv[1]) : 1000000;
	int threads = argc > 2 ? atoi(argv[2]) : 2;

	omp_set_dynamic(0);
	if (threads < 1 || threads > THREADS_MOST)
		return 2;
	double started = now();
	for (long long i = 0; i < executions; i++)
		empty(threads);
	double elapsed = now() - started;
	for (int i = 0; i < threads; i++)
		check(entered[i].count == executions, "executions of the empty region");
	counted("parallel", executions);
	truth("team", threads);
	truth("elapsed", elapsed);
	truth("region_ns", executions ? 1e9 * elapsed / (double)executions : 0);
	return end();
}
