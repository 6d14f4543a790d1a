/* SPDX-License-Identifier: MIT */
/* C++ exceptions beside OpenMP: none may leave a construct, so each is caught by its thread in the
 * construct that it was thrown in, through frames that the runtime knows nothing of. Known: how
 * many are thrown and caught in each kind of construct, and that destructors run on the way. */
#include "omp_truth.h"

#include <stdexcept>

enum { PER_THREAD = 50, ITERATIONS = 200, TASKS = 100 };
static volatile int caught, witnessed;

struct witness {
	~witness()
	{
		increment(&witnessed);
	}
};

static NOINLINE void fall(int depth)
{
	witness here;
	if (!depth)
		throw std::runtime_error("the ground");
	fall(depth - 1);
	KEEP;
}

/* Each fall passes four frames. */
static void try_fall()
{
	try {
		fall(3);
	} catch (const std::runtime_error &) {
		increment(&caught);
	}
}

static void check_caught(const char *construct, int expected)
{
	check(caught == expected, construct);
	check(witnessed == 4 * expected, "destructors on the way");
	counted(construct, caught);
	caught = witnessed = 0;
}

static NOINLINE void in_region()
{
	struct region_run run = REGION();
#pragma omp parallel
	for (int i = 0; i < PER_THREAD; i++)
		try_fall();
	region_end(&run);
	check_caught("caught_in_region", PER_THREAD * omp_get_max_threads());
	KEEP;
}

static NOINLINE void in_loop()
{
	struct region_run run = REGION();
#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < ITERATIONS; i++)
		try_fall();
	region_end(&run);
	check_caught("caught_in_loop", ITERATIONS);
	KEEP;
}

/* The section is left by its end, not by the exception: it must be free for the next one. */
static NOINLINE void in_critical()
{
	struct region_run run = REGION();
#pragma omp parallel
	for (int i = 0; i < PER_THREAD; i++) {
#pragma omp critical(fallen)
		try_fall();
	}
	region_end(&run);
	check_caught("critical_fallen", PER_THREAD * omp_get_max_threads());
	KEEP;
}

static NOINLINE void in_tasks()
{
	struct region_run run = REGION();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		try_fall();
	}
	region_end(&run);
	check_caught("task", TASKS);
	KEEP;
}

/* A lock whose destructor unlocks, as programs do it. */
struct guard {
	omp_lock_t *lock;
	explicit guard(omp_lock_t *of) : lock(of)
	{
		omp_set_lock(lock);
	}
	~guard()
	{
		omp_unset_lock(lock);
	}
};

static NOINLINE void in_guard()
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	struct region_run run = REGION();
#pragma omp parallel
	for (int i = 0; i < PER_THREAD; i++) {
		try {
			guard held(&lock);
			fall(3);
		} catch (const std::runtime_error &) {
			increment(&caught);
		}
	}
	region_end(&run);
	omp_destroy_lock(&lock);
	check_caught("lock", PER_THREAD * omp_get_max_threads());
	KEEP;
}

static void serialized_fall()
{
#pragma omp parallel num_threads(1)
	try_fall();
	fall(0);
}

/* A whole region lies between the throw and the catch in time, none in the stack; and an exception
 * passes a routine that has just executed one. */
static NOINLINE void around_regions()
{
	try {
		serialized_fall();
	} catch (const std::runtime_error &) {
		check(caught == 1 && witnessed == 5, "an exception after a region");
		caught = witnessed = 0;
		in_region();
		return;
	}
	check(false, "an exception after a region");
}

int main()
{
	in_region();
	in_loop();
	in_critical();
	in_tasks();
	in_guard();
	around_regions();
	return end();
}
