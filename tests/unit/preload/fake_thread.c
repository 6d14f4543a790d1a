/* SPDX-License-Identifier: MIT */
#include "fake_thread.h"

#include "preload/base/clock.h"
#include "preload/life/lifecycle.h"
#include "preload/locks/objects.h"
#include "preload/process/process_row.h"
#include "preload/stacks/callpath.h"
#include "preload/thread/thread_life.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

__thread struct thread *thread_self;
__thread struct thread *sync_self;
__thread bool thread_is_unobserved;

struct thread *lifecycle_thread(void)
{
	return NULL;
}

uint32_t thread_count(void)
{
	return 0;
}

struct thread *thread_at(uint32_t index)
{
	(void)index;
	return NULL;
}

void lifecycle_call_in_child(void (*forget)(void))
{
	(void)forget;
}

void thread_update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay)
{
	(void)thread;
	(void)now_ns;
	(void)cpu_ns;
	(void)with_delay;
}

uint64_t thread_read_other_cpu(const struct thread *thread)
{
	(void)thread;
	return 0;
}

struct thread *fake_thread(uint32_t number)
{
	if (thread_self)
		return thread_self;
	struct thread *thread = calloc(1, sizeof *thread);
	struct row_threads *row = calloc(1, sizeof *row);
	ck_assert(thread && row);
	thread->row = row;
	thread->number = number;
	row_hash_prepare(&thread->waits, TABLE_waits, sizeof(struct row_waits), number, 16, 64);
	row_hash_prepare(&thread->blame, TABLE_blame, sizeof(struct row_blame), number, 16, 64);
	call_counts_prepare(&thread->counts, number, 0);
	thread_self = thread;
	return thread;
}

struct thread *fake_process(void)
{
	static struct row_process row;

	ck_assert_int_eq(scratch_open(), 0);
	row = (struct row_process){0};
	process_row = &row;
	callpath_reset();
	object_reset();
	return fake_thread(1);
}

void fake_work(uint64_t ns)
{
	uint64_t until_ns = clock_now_ns() + ns;

	while (clock_now_ns() < until_ns)
		;
}
