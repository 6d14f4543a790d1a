/* SPDX-License-Identifier: MIT */
/* What runs of tasks and of loops of tasks, for each way in which a runtime hands them their data:
 * objects with copy constructors, data without, larger than a page, aligned to one. Every task
 * locks a mutex and burns; every copy of an object locks it as well. Each way is a routine with a
 * region of its own. Known: the tasks of each way (counts tasks_way, and once_way: those that run
 * at once, where that is the program's to say), the CPU time of their bodies (fact work_way), and
 * the calls of the mutex. */
#include "omp_truth.h"

#include <stdint.h>

static const double part = 100e-6; /* seconds of a task */
enum { TASKS = 60, LARGE = 3000, ONCE = 1000 };

pthread_mutex_t the_mutex = PTHREAD_MUTEX_INITIALIZER;
static long locked;
static long long work_ns;
static int ran;

static void lock()
{
	pthread_mutex_lock(&the_mutex);
	locked++;
	pthread_mutex_unlock(&the_mutex);
}

struct counted_copy {
	int value;
	explicit counted_copy(int of) : value(of)
	{
	}
	counted_copy(const counted_copy &other) : value(other.value)
	{
		lock();
	}
	counted_copy &operator=(const counted_copy &) = delete;
	~counted_copy()
	{
		value = -1;
	}
};

struct large {
	int words[LARGE];
};

struct alignas(4096) page {
	unsigned char bytes[4096];
};

struct alignas(4096) page_of_object {
	unsigned char bytes[4096];
	counted_copy object;
	explicit page_of_object(int of) : bytes(), object(of)
	{
		bytes[4095] = (unsigned char)of;
	}
};

/* The body of each task. */
static void work(bool has_its_data, double seconds = 0)
{
	double started = cpu();

	check(has_its_data, "the data of a task");
	lock();
	increment(&ran);
	burn(seconds > 0 ? seconds : part);
	__atomic_add_fetch(&work_ns, (long long)(1e9 * (cpu() - started)), __ATOMIC_RELAXED);
}

static void told(const char *tasks_name, int tasks, const char *once_name, int at_once,
		 const char *work_name)
{
	check(ran == tasks, tasks_name);
	counted(tasks_name, tasks);
	if (at_once >= 0)
		counted(once_name, at_once);
	truth(work_name, 1e-9 * (double)work_ns);
	ran = 0;
	work_ns = 0;
}

/* A way that makes tasks, or loops of them, by one thread in a region of its own. */
#define WAY(name, tasks, at_once, ...)                                                             \
	static NOINLINE void name()                                                                \
	{                                                                                          \
		counted_copy object(7);                                                            \
		(void)object;                                                                      \
		_Pragma("omp parallel") _Pragma("omp single"){__VA_ARGS__} told(                   \
			"tasks_" #name, tasks, "once_" #name, at_once, "work_" #name);             \
		KEEP;                                                                              \
	}

#define PRAGMA(...)       _Pragma(#__VA_ARGS__)
#define EACH(type, tasks) for (type i = 0; i < (tasks); i++)

/* ---- loops of tasks ---- */

WAY(loop, TASKS, 0,
    PRAGMA(omp taskloop firstprivate(object) num_tasks(TASKS)) EACH(int, TASKS)
	    work(object.value == 7);)

WAY(loop_nogroup, TASKS, 0,
    PRAGMA(omp taskloop firstprivate(object) num_tasks(TASKS) nogroup) EACH(int, TASKS)
	    work(object.value == 7);)

WAY(loop_of_unsigned, TASKS / 2, 0,
    PRAGMA(omp taskloop firstprivate(object) grainsize(2)) EACH(unsigned long long, TASKS)
	    work(object.value == 7 && i < TASKS, i % 2 ? 1e-9 : part);
    ran = ran == TASKS ? TASKS / 2 : 0;)

WAY(loop_collapsed, 30, 0,
    PRAGMA(omp taskloop firstprivate(object) num_tasks(30)
		   collapse(2)) for (int i = 0; i < 5; i++) for (int k = 0; k < 6; k++)
	    work(object.value == 7 && i < 5 && k < 6);)

static int sum;
WAY(loop_reduction, TASKS, 0,
    sum = 0;
    PRAGMA(omp taskloop firstprivate(object) num_tasks(TASKS) reduction(+ : sum))
    EACH(int, TASKS) {
	    work(object.value == 7);
	    sum += i;
    }
    check(sum == TASKS * (TASKS - 1) / 2, "the sum of a loop of tasks");)

WAY(loop_at_once, TASKS, TASKS,
    PRAGMA(omp taskloop firstprivate(object) num_tasks(TASKS) if (!object.value)) EACH(int, TASKS)
	    work(object.value == 7);)

WAY(loop_plain_at_once, TASKS, TASKS, int value = object.value;
    PRAGMA(omp taskloop firstprivate(value) num_tasks(TASKS) if (!value)) EACH(int, TASKS)
	    work(value == 7);)

/* More tasks than a runtime keeps: all at once, or many of them. */
WAY(loop_of_many, ONCE, -1,
    PRAGMA(omp taskloop firstprivate(object) num_tasks(ONCE)) EACH(int, ONCE)
	    work(object.value == 7, 10e-6);)

/* Each task of a loop makes a loop. */
WAY(
	loop_nested, 5 + 20, -1,
	PRAGMA(omp taskloop firstprivate(object) num_tasks(5)) EACH(int, 5) {
		work(object.value == 7);
		counted_copy inner(8);
		PRAGMA(omp taskloop firstprivate(inner) num_tasks(4))
		for (int k = 0; k < 4; k++)
			work(inner.value == 8 && object.value == 7);
	})

WAY(loop_of_large, TASKS, 0, static large source; large own = source; own.words[LARGE - 1] = 9;
    PRAGMA(omp taskloop firstprivate(own) num_tasks(TASKS)) EACH(int, TASKS)
	    work(own.words[LARGE - 1] == 9);)

WAY(loop_of_pages, TASKS, 0, page_of_object own(5);
    PRAGMA(omp taskloop firstprivate(own) num_tasks(TASKS)) EACH(int, TASKS)
	    work(own.bytes[4095] == 5 && own.object.value == 5);)

/* ---- tasks ---- */

WAY(
	of_objects, TASKS, 0, EACH(int, TASKS) {
		PRAGMA(omp task firstprivate(object, i))
		work(object.value == 7);
	})

WAY(
	of_large, TASKS, 0, static large source; EACH(int, TASKS) {
		large own = source;
		own.words[LARGE - 1] = i;
		PRAGMA(omp task firstprivate(own, i))
		work(own.words[LARGE - 1] == i);
	})

WAY(
	of_pages, TASKS, 0, EACH(int, TASKS) {
		page own;
		memset(own.bytes, i, sizeof own.bytes);
		PRAGMA(omp task firstprivate(own, i))
		work(own.bytes[4095] == i);
	})

WAY(
	of_pages_of_objects, TASKS, 0, EACH(int, TASKS) {
		page_of_object own(i);
		PRAGMA(omp task firstprivate(own, i) untied mergeable priority(i))
		work(own.bytes[4095] == i && own.object.value == i);
	})

/* Each makes the next one, which runs at once, within it. */
static void chain(int length)
{
	large own;

	memset(&own, 0, sizeof own);
	own.words[LARGE - 1] = length;
	PRAGMA(omp task firstprivate(own, length) if (length > 1000))
	{
		work(own.words[LARGE - 1] == length);
		if (length > 1)
			chain(length - 1);
		check(own.words[LARGE - 1] == length, "the data of a task around others");
	}
	KEEP;
}

WAY(of_large_nested, 20, 20, chain(20);)

int main()
{
	loop();
	loop_nogroup();
	loop_of_unsigned();
	loop_collapsed();
	loop_reduction();
	loop_at_once();
	loop_plain_at_once();
	loop_of_many();
	loop_nested();
	loop_of_large();
	loop_of_pages();
	of_objects();
	of_large();
	of_pages();
	of_pages_of_objects();
	of_large_nested();
	counted("locks", locked);
	return end();
}
