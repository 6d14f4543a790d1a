/* SPDX-License-Identifier: MIT */
#include "preload/life/profile_end.h"

#include "preload/base/clock.h"
#include "preload/base/descriptors.h"
#include "preload/base/signal_block.h"
#include "preload/concurrency/concurrency.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/locks/objects.h"
#include "preload/process/process_memory.h"
#include "preload/process/process_row.h"
#include "preload/sections/section_stack.h"
#include "preload/thread/thread_life.h"

#include <errno.h>

static int is_writing; /* atomic: a thread is writing the last figures */

static void bring_up_to_date(uint64_t now_ns, uint64_t cpu_ns)
{
	process_row_read_cpu();
	thread_update_all(now_ns, cpu_ns);
	process_memory_finish();
	if (thread_self) {
		concurrency_update_single(now_ns, cpu_ns - thread_self->birth_cpu_ns);
		routine_stack_settle(thread_self->calls, now_ns);
		section_stack_settle(thread_self, now_ns, cpu_ns);
	}
	if (store_failure())
		note_once(store_failure() == STORE_FULL ? NOTE_FILE_FULL : NOTE_FILE_GROWTH,
			  (uint32_t)store_failure());
	if (object_is_full())
		note_once(NOTE_OBJECTS_FULL, 0);
}

void profile_end_write(struct format_header *header, enum format_state state, int status)
{
	if (__atomic_exchange_n(&is_writing, 1, __ATOMIC_ACQUIRE))
		return;
	int saved = errno;
	uint64_t mask = signals_block(); /* once for all files that are read */
	if (state == FORMAT_STATE_EXITED)
		descriptors_take_any();
	thread_begin_final();
	uint64_t cpu_ns = clock_thread_cpu_ns();
	uint64_t now_ns = concurrency_close();
	bring_up_to_date(now_ns, cpu_ns);
	header->heartbeat_ns = header->end_ns = now_ns;
	header->status = status;
	if (state != FORMAT_STATE_RUNNING)
		store_trim();
	__atomic_store_n(&header->state, state, __ATOMIC_RELEASE);
	__atomic_store_n(&is_writing, 0, __ATOMIC_RELEASE);
	signals_restore(mask);
	errno = saved;
}

void profile_end_set_state(struct format_header *header, enum format_state state, int status)
{
	header->status = status;
	__atomic_store_n(&header->state, state, __ATOMIC_RELEASE);
}

void profile_end_take_back(struct format_header *header)
{
	header->end_ns = 0;
	concurrency_reopen();
	thread_leave_final();
	__atomic_store_n(&header->state, FORMAT_STATE_RUNNING, __ATOMIC_RELEASE);
}

void profile_end_reset(void)
{
	is_writing = 0;
}
