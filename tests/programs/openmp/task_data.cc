/* SPDX-License-Identifier: MIT */
/* What tasks take with them: nothing, words, objects with constructors and destructors, arrays
 * larger than a page, data that wants to stand at a multiple of 64 or 4096; in tasks, undeferred
 * tasks, loops of tasks, tasks that depend on others, and tasks that are ended by an event. Known:
 * how many tasks there are, that each finds its own data, and that as many objects are destroyed as
 * are made. */
#include "omp_truth.h"

#include <stdint.h>

enum { TASKS = 60, LARGE = 6000, HUGE_WORDS = 40000, LOOPED = 200, LOOP_TASKS = 10 };
static int made, destroyed, done;
/* libomp 14 gives data no more than 64, and fails an assertion after a detached task in a team of
 * one. */
static bool is_libgomp;

struct witness {
	int value;
	explicit witness(int of) : value(of)
	{
		increment(&made);
	}
	witness(const witness &other) : value(other.value)
	{
		increment(&made);
	}
	~witness()
	{
		value = -1;
		increment(&destroyed);
	}
	witness &operator=(const witness &) = delete;
};

struct alignas(64) line_of_cache {
	int words[16];
};

struct alignas(4096) page {
	unsigned char bytes[4096];
};

struct block {
	int words[LARGE];
};

struct huge {
	int words[HUGE_WORDS];
};

static void check_done(const char *what, int expected)
{
	check(done == expected, what);
	check(made == destroyed, "objects made and destroyed");
	counted("task", expected);
	done = made = destroyed = 0;
}

static NOINLINE void of_objects(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		witness first(i), second(2 * i);
#pragma omp task firstprivate(first, second, i)
		{
			check(first.value == i && second.value == 2 * i, "the objects of a task");
			increment(&done);
		}
	}
	check_done("tasks with objects", TASKS);
	KEEP;
}

static NOINLINE void of_objects_at_once(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		witness own(i);
#pragma omp task firstprivate(own, i) if (i % 2)
		{
			check(own.value == i, "the object of a task that may run at once");
			increment(&done);
		}
	}
	check_done("tasks with objects, half of them at once", TASKS);
	KEEP;
}

static NOINLINE void aligned(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		line_of_cache line;
		page whole;
		for (int k = 0; k < 16; k++)
			line.words[k] = i + k;
		memset(whole.bytes, i, sizeof whole.bytes);
#pragma omp task firstprivate(line, i)
		{
			check((uintptr_t)&line % 64 == 0, "data at a multiple of 64");
			check(line.words[0] == i && line.words[15] == i + 15,
			      "aligned data of a task");
			increment(&done);
		}
#pragma omp task firstprivate(whole, i)
		{
			check(!is_libgomp || (uintptr_t)&whole % 4096 == 0,
			      "data at a multiple of 4096");
			check(whole.bytes[0] == i && whole.bytes[4095] == i, "a page of a task");
			increment(&done);
		}
	}
	check_done("tasks with aligned data", 2 * TASKS);
	KEEP;
}

static NOINLINE void large(void)
{
	static block source;
	static huge largest;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		block own = source;
		own.words[0] = i;
		own.words[LARGE - 1] = 7 * i;
#pragma omp task firstprivate(own, i)
		{
			check(own.words[0] == i && own.words[LARGE - 1] == 7 * i,
			      "large data of a task");
			increment(&done);
		}
		if (i % 10)
			continue;
		largest.words[HUGE_WORDS - 1] = i;
		huge copied = largest;
#pragma omp task firstprivate(copied, i)
		{
			check(copied.words[HUGE_WORDS - 1] == i, "very large data of a task");
			increment(&done);
		}
	}
	check_done("tasks with large data", TASKS + TASKS / 10);
	KEEP;
}

static NOINLINE void without_data(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
		increment(&done);
	}
	check_done("tasks without data", TASKS);
	KEEP;
}

static NOINLINE void depending(void)
{
	int from = 0, to = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		witness own(i);
#pragma omp task firstprivate(own) depend(inout : from) depend(out : to) priority(i) shared(from)
		{
			check(from == own.value, "the order of tasks with objects");
			from++;
			increment(&done);
		}
	}
	check(from == TASKS && !to, "a chain of tasks with objects");
	check_done("tasks that depend on others", TASKS);
	KEEP;
}

static NOINLINE void looped(void)
{
	long sum = 0;
	witness own(5);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(own) num_tasks(LOOP_TASKS) reduction(+ : sum)
	for (int i = 0; i < LOOPED; i++) {
		check(own.value == 5, "the object of a loop's task");
		sum += i;
	}
	check(sum == (long)LOOPED * (LOOPED - 1) / 2, "the sum of a loop of tasks");
	counted("taskloop_task", LOOP_TASKS);
	KEEP;
}

/* It is over when the event is fulfilled: by its own body, or by the thread that made it. */
static NOINLINE void detached(void)
{
	int after = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
		omp_event_handle_t event;
		bool is_own = i % 2;
#pragma omp task detach(event) firstprivate(i, is_own) depend(out : after)
		{
			increment(&done);
			if (is_own)
				omp_fulfill_event(event);
		}
		if (!is_own)
			omp_fulfill_event(event);
#pragma omp task depend(in : after) shared(after)
		increment(&after);
	}
	check(after == TASKS, "tasks after detached ones");
	check(done == TASKS, "detached tasks");
	counted("task", 2 * TASKS);
	done = 0;
	KEEP;
}

int main()
{
	is_libgomp = !strcmp(runtime_name(), "libgomp");
	of_objects();
	of_objects_at_once();
	aligned();
	large();
	without_data();
	depending();
	looped();
	check(made == destroyed, "objects of a loop of tasks");
	if (is_libgomp || omp_get_max_threads() > 1)
		detached();
	return end();
}
