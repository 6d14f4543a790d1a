/* SPDX-License-Identifier: MIT */
/* Locks of programs of gcc before 4.4, beside today's: a nest lock had 8 bytes and has 16, and the
 * symbol's version says which. Known: how often each is taken; that nothing behind an old one is
 * written. */
#include "omp_truth.h"

enum { TIMES = 1000, GUARD = 0x5a5a5a5a };

#define OLD(name)                                                                                  \
	__asm__(".symver old_" #name "," #name "@OMP_1.0");                                        \
	extern void old_##name(void *lock);
OLD(omp_init_nest_lock)
OLD(omp_set_nest_lock)
OLD(omp_unset_nest_lock)
OLD(omp_destroy_nest_lock)
OLD(omp_init_lock)
OLD(omp_set_lock)
OLD(omp_unset_lock)
OLD(omp_destroy_lock)
__asm__(".symver old_omp_test_nest_lock,omp_test_nest_lock@OMP_1.0");
extern int old_omp_test_nest_lock(void *lock);
__asm__(".symver old_omp_test_lock,omp_test_lock@OMP_1.0");
extern int old_omp_test_lock(void *lock);

static struct {
	int before[2];
	int nest_lock[2];
	int between[4];
	int lock;
	int behind[4];
} old;

static omp_nest_lock_t nest_lock;
static omp_lock_t lock;
static long long taken;

static bool is_whole(const int *words, int count)
{
	for (int i = 0; i < count; i++)
		if (words[i] != GUARD)
			return false;
	return true;
}

static void check_guards(const char *when)
{
	check(is_whole(old.before, 2) && is_whole(old.between, 4) && is_whole(old.behind, 4), when);
}

static NOINLINE void take_old(void)
{
	old_omp_set_nest_lock(old.nest_lock);
	old_omp_set_nest_lock(old.nest_lock);
	check(old_omp_test_nest_lock(old.nest_lock) == 3, "the depth of an old nest lock");
	taken++;
	check_guards("words around an old nest lock that is held");
	for (int i = 0; i < 3; i++)
		old_omp_unset_nest_lock(old.nest_lock);
	old_omp_set_lock(&old.lock);
	check(!old_omp_test_lock(&old.lock), "a try of an old lock that is held");
	old_omp_unset_lock(&old.lock);
}

static NOINLINE void take_new(void)
{
	omp_set_nest_lock(&nest_lock);
	check(omp_test_nest_lock(&nest_lock) == 2, "the depth of a nest lock");
	taken++;
	omp_unset_nest_lock(&nest_lock);
	omp_unset_nest_lock(&nest_lock);
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
}

static void each(void (*take)(void))
{
	taken = 0;
#pragma omp parallel
	for (int i = 0; i < TIMES; i++)
		take();
	check(taken == (long long)TIMES * omp_get_max_threads(), "times that a lock was taken");
}

int main(void)
{
	for (unsigned i = 0; i < sizeof old / sizeof(int); i++)
		((int *)&old)[i] = GUARD;
	old_omp_init_nest_lock(old.nest_lock);
	old_omp_init_lock(&old.lock);
	omp_init_nest_lock(&nest_lock);
	omp_init_lock(&lock);
	check_guards("words around old locks that were made");
	each(take_old);
	each(take_new);
	old_omp_destroy_nest_lock(old.nest_lock);
	old_omp_destroy_lock(&old.lock);
	omp_destroy_nest_lock(&nest_lock);
	omp_destroy_lock(&lock);
	check_guards("words around old locks");
	int team = omp_get_max_threads();
	counted("lock", 2LL * team * TIMES);
	counted("test_lock", (long long)team * TIMES);
	counted("old_lock", 3LL * team * TIMES);
	counted("old_test_lock", 2LL * team * TIMES);
	return end();
}
