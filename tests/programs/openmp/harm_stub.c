/* SPDX-License-Identifier: MIT */
/* Serial programs link a stand-in for OpenMP's runtime (Intel's libiompstubs5, LLVM's libompstub),
 * which has its routines and few or none of what compilers make of constructs.
 *
 *   -DLIBRARY   the stand-in: locks, nest locks that cannot be tried, critical sections
 *   -DUSER      what is linked with it: use_openmp(), for the program `copies` as well
 *   neither     a program of ours, linked with both
 */
#include <stdio.h>

int use_openmp(int times);

void omp_init_lock(int *lock);
void omp_set_lock(int *lock);
void omp_unset_lock(int *lock);
int omp_test_lock(int *lock);
void omp_destroy_lock(int *lock);
void omp_set_nest_lock(int *lock);
void omp_unset_nest_lock(int *lock);
int omp_get_num_threads(void);
void omp_set_lock_(int *lock);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
int stub_inside(void);

enum { FREE = -1, TAKEN = 1, GONE = 0 };

#if defined LIBRARY

static int inside;

int stub_inside(void)
{
	return inside;
}

void omp_init_lock(int *lock)
{
	*lock = FREE;
}

void omp_set_lock(int *lock)
{
	*lock = TAKEN;
}

void omp_set_lock_(int *lock)
{
	*lock = TAKEN;
}

void omp_unset_lock(int *lock)
{
	*lock = FREE;
}

int omp_test_lock(int *lock)
{
	int was_free = *lock == FREE;

	*lock = TAKEN;
	return was_free;
}

void omp_destroy_lock(int *lock)
{
	*lock = GONE;
}

void omp_set_nest_lock(int *lock)
{
	++*lock;
}

void omp_unset_nest_lock(int *lock)
{
	--*lock;
}

int omp_get_num_threads(void)
{
	return 1;
}

void GOMP_critical_start(void)
{
	inside++;
}

void GOMP_critical_end(void)
{
	inside--;
}

#elif defined USER

/* 10 for each step that does what it is for. */
int use_openmp(int times)
{
	int result = 0;

	for (int i = 0; i < times; i++) {
		int lock = 77, nested = 0;
		omp_init_lock(&lock);
		result += lock == FREE ? 10 : 0;
		result += omp_test_lock(&lock) && lock == TAKEN ? 10 : 0;
		result += !omp_test_lock(&lock) ? 10 : 0;
		omp_unset_lock(&lock);
		omp_set_lock(&lock);
		result += lock == TAKEN ? 10 : 0;
		omp_unset_lock(&lock);
		omp_set_lock_(&lock);
		result += lock == TAKEN ? 10 : 0;
		omp_destroy_lock(&lock);
		result += lock == GONE ? 10 : 0;
		omp_set_nest_lock(&nested);
		omp_set_nest_lock(&nested);
		result += nested == 2 ? 10 : 0;
		omp_unset_nest_lock(&nested);
		GOMP_critical_start();
		result += stub_inside() == 1 ? 10 : 0;
		GOMP_critical_end();
		result += stub_inside() == 0 ? 10 : 0;
		result += omp_get_num_threads();
	}
	return result;
}

#else

int main(void)
{
	int result = use_openmp(3);

	printf("%d\n", result);
	return result == 3 * 91 ? 0 : 1;
}

#endif
