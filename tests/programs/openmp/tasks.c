/* SPDX-License-Identifier: MIT */
/* Explicit tasks, whose number is known in each way to make them: fib with two tasks per inner
 * node, a group with bodies of known time, loops of tasks, dependences that make a chain, yields,
 * and tasks that are not deferred. counts are those of the constructs; for the last ones a runtime
 * may call nothing. */
#include "omp_truth.h"

enum {
	FIB_OF = 15,
	GROUPED = 40,
	LOOPED = 64,
	LOOP_TASKS = 8,
	CHAIN = 12,
	YIELDS = 20,
	AT_ONCE = 10
};
static const double body = 0.001;
static int bodies, chain_at;

static long long inner_nodes(int n)
{
	return n < 2 ? 0 : 1 + inner_nodes(n - 1) + inner_nodes(n - 2);
}

static NOINLINE long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) firstprivate(n)
	a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static NOINLINE void tree(void)
{
	long result = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	result = fib(FIB_OF);
	region_end(&run);
	check(result == 610, "fib(15)");
	counted("task", 2 * inner_nodes(FIB_OF));
	counted("taskwait", inner_nodes(FIB_OF));
	truth("fib_tasks", 2.0 * (double)inner_nodes(FIB_OF));
	KEEP;
}

static NOINLINE void do_body(void)
{
	burn(body);
	increment(&bodies);
}

static NOINLINE void group(void)
{
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp master
	{
#pragma omp taskgroup
		for (int i = 0; i < GROUPED; i++)
#pragma omp task
			do_body();
		check(bodies == GROUPED, "the end of a group");
	}
	region_end(&run);
	counted("task", GROUPED);
	counted("taskgroup", 1);
	truth("group_body", body * GROUPED);
	KEEP;
}

/* Counted as one loop and its tasks; a taskloop has a group of its own but for nogroup. */
static NOINLINE void loops(void)
{
	bodies = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(LOOP_TASKS)
		for (int i = 0; i < LOOPED; i++)
			increment(&bodies);
		check(bodies == LOOPED, "the end of a taskloop");
#pragma omp taskloop grainsize(LOOPED / LOOP_TASKS) nogroup
		for (unsigned long long i = 1ull << 63; i < (1ull << 63) + LOOPED; i++)
			increment(&bodies);
	}
	region_end(&run);
	check(bodies == 2 * LOOPED, "the iterations of taskloops");
	counted("taskloop", 2);
	counted("taskloop_task", 2 * LOOP_TASKS);
	KEEP;
}

/* One after the other, whoever executes them. What is waited for by its dependences is complete by
 * then: libomp 14 keeps such a wait's node on the waiter's stack, which it may leave while another
 * thread is still releasing it, and ends the program ("Assertion failure at kmp_taskdeps.h(26): n
 * >= 0"; without any profiler, once in some 100,000 times, more often on a busy machine). */
static NOINLINE void chain(void)
{
	int link = 0, other = 0;
	(void)link;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < CHAIN; i++)
#pragma omp task depend(inout : link) firstprivate(i)
		{
			check(chain_at == i, "the order of a chain");
			chain_at++;
			burn(body / 10);
		}
#pragma omp task depend(in : link) depend(out : other)
		check(chain_at == CHAIN, "a reader after the chain");
#pragma omp taskwait
#pragma omp taskwait depend(in : other)
		other = 1;
	}
	region_end(&run);
	check(chain_at == CHAIN && other, "the chain's length");
	counted("task", CHAIN + 1);
	counted("task_dependent", CHAIN + 1);
	counted("taskwait", 1);
	counted("taskwait_depend", 1);
	KEEP;
}

static NOINLINE void yields(void)
{
	bodies = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < YIELDS; i++) {
#pragma omp task untied priority(i)
		increment(&bodies);
#pragma omp taskyield
	}
	region_end(&run);
	check(bodies == YIELDS, "tasks beside yields");
	counted("task", YIELDS);
	counted("taskyield", YIELDS);
	KEEP;
}

/* Tasks that their maker executes itself. */
static NOINLINE void at_once(void)
{
	int by_maker = 0;
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	{
		int maker = omp_get_thread_num();
		for (int i = 0; i < AT_ONCE; i++)
#pragma omp task if (0) shared(by_maker)
			by_maker += omp_get_thread_num() == maker;
#pragma omp task final(1) shared(by_maker)
		{
#pragma omp task shared(by_maker)
			by_maker++;
		}
	}
	region_end(&run);
	check(by_maker == AT_ONCE + 1, "undeferred and included tasks");
	counted("task_undeferred", AT_ONCE);
	counted("task_final", 1);
	counted("task_included", 1);
	KEEP;
}

int main(void)
{
	tree();
	group();
	loops();
	chain();
	yields();
	at_once();
	counted("single", 5LL * omp_get_max_threads());
	counted("master", 1);
	return end();
}
