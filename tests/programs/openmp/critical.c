/* SPDX-License-Identifier: MIT */
/* Contention with known holders: in each round all others wait for the critical section or lock
 * that the first thread has, which holds it for another 5 ms. Known: how often each is taken, how
 * often it is contended, how long each waiter waits (measured by the waiter), and who is to blame.
 * Then the same locks taken by one thread alone: counts, no contention. */
#include "omp_truth.h"

enum { ROUNDS = 4, ALONE = 1000 };
static const double hold = 0.005;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int is_held[ROUNDS], coming[ROUNDS];
static double waited, waited_most;
static long long taken;

static NOINLINE void hold_it(int round)
{
	increment(&is_held[round]);
	await_yielding(&coming[round], omp_get_num_threads() - 1);
	SPIN(hold);
}

/* Inside: `taken` is guarded by the construct under test, the sums of waits by it too. */
static void inside(int round, double before)
{
	double wait = now() - before;

	taken++;
	if (omp_get_thread_num() == 0) {
		hold_it(round);
		return;
	}
	waited += wait;
	waited_most = wait > waited_most ? wait : waited_most;
}

/* The others come when the first thread is inside. */
static double arrive(int round)
{
	if (omp_get_thread_num()) {
		await_yielding(&is_held[round], 1);
		increment(&coming[round]);
	}
	return now();
}

static inline void enter_twice(void)
{
	omp_set_nest_lock(&nest_lock);
	omp_set_nest_lock(&nest_lock);
}

static inline void leave_twice(void)
{
	omp_unset_nest_lock(&nest_lock);
	omp_unset_nest_lock(&nest_lock);
}

/* The region and all in it stand on the line where the macro is used. */
#define ROUNDS_OF(routine, enter, leave)                                                           \
	static NOINLINE void routine(void)                                                         \
	{                                                                                          \
		struct region_run run = region_begin(__func__, __LINE__);                          \
		_Pragma("omp parallel") for (int round = 0; round < ROUNDS; round++)               \
		{                                                                                  \
			double before = arrive(round);                                             \
			enter                                                                      \
			{                                                                          \
				inside(round, before);                                             \
			}                                                                          \
			leave;                                                                     \
			_Pragma("omp barrier")                                                     \
		}                                                                                  \
		region_end(&run);                                                                  \
		KEEP;                                                                              \
	}

ROUNDS_OF(unnamed_critical, _Pragma("omp critical"), )
ROUNDS_OF(named_critical, _Pragma("omp critical(till)"), )
ROUNDS_OF(simple_lock, omp_set_lock(&lock);, omp_unset_lock(&lock))
ROUNDS_OF(nested_lock, enter_twice();, leave_twice())

static void contend(const char *construct, void (*rounds)(void), int depth)
{
	int team = omp_get_max_threads();
	char name[64];

	memset(is_held, 0, sizeof is_held);
	memset(coming, 0, sizeof coming);
	waited = waited_most = 0;
	taken = 0;
	rounds();
	check(taken == (long long)team * ROUNDS, construct);
	counted(construct, taken * depth);
	counted("barrier", (long long)team * ROUNDS);
	snprintf(name, sizeof name, "%s_contended", construct);
	truth(name, (team - 1) * ROUNDS);
	snprintf(name, sizeof name, "%s_waited", construct);
	truth(name, waited);
	snprintf(name, sizeof name, "%s_waited_most", construct);
	truth(name, waited_most);
}

/* Nobody else is there: no wait, and calls outside of any region. */
static NOINLINE void alone(void)
{
	for (int i = 0; i < ALONE; i++) {
#pragma omp critical(solitude)
		taken++;
		omp_set_lock(&lock);
		taken += omp_test_lock(&lock); /* fails */
		omp_unset_lock(&lock);
		taken += omp_test_lock(&lock); /* succeeds */
		omp_unset_lock(&lock);
		taken += omp_test_nest_lock(&nest_lock); /* 1 */
		taken += omp_test_nest_lock(&nest_lock); /* 2 */
		omp_unset_nest_lock(&nest_lock);
		omp_unset_nest_lock(&nest_lock);
	}
	counted("critical_solitude", ALONE);
	counted("lock", ALONE);
	counted("test_lock_failed", ALONE);
	counted("test_lock", ALONE);
	counted("test_nest_lock", 2 * ALONE);
}

/* A type without atomic instructions: gcc takes a lock of the runtime, clang one of libatomic,
 * which is none of OpenMP. */
static NOINLINE void atomics(void)
{
	long double sum = 0;
	struct region_run run = REGION();
#pragma omp parallel
	for (int i = 0; i < ALONE; i++) {
#pragma omp atomic
		sum += 1;
	}
	region_end(&run);
	check(sum == (long double)ALONE * omp_get_max_threads(), "the sum of atomic additions");
	counted("atomic", (long long)sum);
	KEEP;
}

int main(void)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	contend("critical", unnamed_critical, 1);
	contend("critical_till", named_critical, 1);
	contend("lock", simple_lock, 1);
	contend("nest_lock", nested_lock, 2);
	taken = 0;
	alone();
	check(taken == 5 * ALONE, "locks taken alone");
	atomics();
	truth("hold", hold);
	truth("rounds", ROUNDS);
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest_lock);
	return end();
}
