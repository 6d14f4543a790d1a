/* SPDX-License-Identifier: MIT */
/* Plays a runtime that tells of regions by OMPT, as LLVM's does: it gives a region's record back
 * before it tells of the region's end, so that the word it then passes may be that of a region
 * which another thread has begun meanwhile. Tells: two threads, each with regions of one member,
 * NESTED of them within each other, TIMES times. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum {
	TIMES = 50,
	NESTED = 3,
	EVENTS = 64,
	PARALLEL_BEGIN = 3,
	PARALLEL_END = 4,
	IMPLICIT_TASK = 7
};

typedef union {
	uint64_t value;
	void *ptr;
} word;

struct tool {
	int (*initialize)(void (*(*lookup)(const char *name))(void), int device, word *data);
	void (*finalize)(word *data);
	word data;
};

typedef void parallel_begin(word *task, const void *frame, word *parallel, unsigned wanted,
			    int flags, const void *code);
typedef void parallel_end(word *parallel, word *task, int flags, const void *code);
typedef void implicit_task(int endpoint, word *parallel, word *task, unsigned size, unsigned number,
			   int flags);

static void (*events[EVENTS])(void);
/* Where regions begin and end: not in the runtime, which here is the program itself. */
static const void *place;
static pthread_barrier_t step;

static int set_callback(int event, void (*callback)(void))
{
	events[event] = callback;
	return 5;
}

static void (*lookup(const char *name))(void)
{
	(void)name;
	return (void (*)(void))set_callback;
}

/* One record for both threads, which each of them has by turns. */
static word shared;

static __attribute__((noinline)) void begin(word *parallel, word *task)
{
	((parallel_begin *)events[PARALLEL_BEGIN])(task, NULL, parallel, 1, 2, place);
	((implicit_task *)events[IMPLICIT_TASK])(1, parallel, task, 1, 0, 2);
}

static __attribute__((noinline)) void end(word *parallel, word *task)
{
	((implicit_task *)events[IMPLICIT_TASK])(2, NULL, task, 1, 0, 2);
	((parallel_end *)events[PARALLEL_END])(parallel, task, 2, place);
}

/* The inner ones have words of their own. */
static __attribute__((noinline)) void nest(int depth)
{
	word parallel = {0}, task = {0};

	if (!depth)
		return;
	begin(&parallel, &task);
	nest(depth - 1);
	end(&parallel, &task);
}

static void *play(void *unused)
{
	word task;

	(void)unused;
	for (int i = 0; i < TIMES; i++) {
		pthread_barrier_wait(&step);
		word own = {0};
		task.value = 0;
		begin(&own, &task);
		nest(NESTED - 1);
		__atomic_store_n(&shared.ptr, own.ptr, __ATOMIC_SEQ_CST);
		pthread_barrier_wait(&step);
		end(&shared, &task);
	}
	return NULL;
}

int main(void)
{
	struct tool *(*start)(unsigned, const char *) =
		(struct tool * (*)(unsigned, const char *)) dlsym(RTLD_DEFAULT, "ompt_start_tool");
	struct tool *tool = start ? start(201611, "a runtime that is played") : NULL;
	pthread_t other;

	place = (const char *)dlsym(RTLD_DEFAULT, "qsort") + 8;
	if (tool && tool->initialize(lookup, 0, &tool->data)) {
		pthread_barrier_init(&step, NULL, 2);
		pthread_create(&other, NULL, play, NULL);
		play(NULL);
		pthread_join(other, NULL);
	}
	printf("%d\n", 2 * TIMES * NESTED);
	return 0;
}
