/* SPDX-License-Identifier: MIT */
/* Waits for certain tasks: a task that runs at once and depends on one of another thread, taskwait
 * with dependences; tasks of the target construct, for which runtimes may have helpers of their
 * own; pieces of sections; ends of single with copyprivate. Known: how often each is met, and how
 * long the first thread waited. */
#include "omp_truth.h"

enum { TIMES = 5, TARGETS = 10, ROUNDS = 8 };

static int started, over;
pthread_mutex_t the_mutex = PTHREAD_MUTEX_INITIALIZER;

/* By the other thread, while the first one waits. */
static void begin_task(int *object)
{
	(void)object;
#pragma omp task depend(out : object[0])
	{
		increment(&started);
		nap_raw(0.02);
		increment(&over);
	}
}

/* Both threads, on the processors of a set; by a call that no wrapper sees. */
static void both_on(const cpu_set_t *processors)
{
	syscall(SYS_sched_setaffinity, 0, sizeof *processors, processors);
#pragma omp barrier
}

/* On one processor: libomp before 19 keeps the node of such a wait on the waiter's stack, which it
 * may leave while the other thread is still releasing it (LLVM's issue 85963). On two processors
 * that ended 3 of 900 runs with SIGSEGV or SIGABRT without any profiler. Here the waiter runs again
 * when the other thread has gone to sleep. */
static NOINLINE void depending(void)
{
	double waited = 0;
	int object = 0;
	cpu_set_t all, one;

	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
#pragma omp parallel num_threads(2)
	{
		both_on(&one);
#pragma omp single
		for (int i = 0; i < 2 * TIMES; i++) {
			begin_task(&object);
			await_raw(&started, i + 1);
			double begin = now();
			if (i % 2) {
#pragma omp task depend(in : object) if (0)
				{
					waited += now() - begin;
					check(over == i + 1, "a task that depends on another one");
				}
			} else {
#pragma omp taskwait depend(in : object)
				waited += now() - begin;
				check(over == i + 1, "taskwait with a dependence");
			}
		}
		both_on(&all);
	}
	counted("depending", 2 * TIMES);
	truth("waited", waited);
	KEEP;
}

static NOINLINE void targets(void)
{
	int object = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < TARGETS; i++) {
#pragma omp target nowait map(tofrom : object)
			{
				pthread_mutex_lock(&the_mutex);
				object++;
				burn(200e-6);
				pthread_mutex_unlock(&the_mutex);
			}
		}
#pragma omp taskwait
	}
	check(object == TARGETS, "target");
	counted("targets", TARGETS);
	KEEP;
}

static NOINLINE void sections(void)
{
	int done = 0;

	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp sections
			{
#pragma omp section
				increment(&done);
#pragma omp section
				increment(&done);
#pragma omp section
				increment(&done);
			}
		}
	}
	counted("sections", done);
	KEEP;
}

static NOINLINE void copies(void)
{
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
		{
			int copied = 0;
#pragma omp single copyprivate(copied)
			copied = 5;
			check(copied == 5, "copyprivate");
		}
	}
	counted("copies", 2 * ROUNDS);
	KEEP;
}

int main(void)
{
	depending();
	targets();
	sections();
	copies();
	return end();
}
