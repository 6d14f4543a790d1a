/* SPDX-License-Identifier: MIT */
/* Threads that the program makes: what happens before, where they start, and what the first one
 * changes. */
#include "preload/life/lifecycle.h"
#include "preload/life/lifecycle_parts.h"

#include "preload/base/clock.h"
#include "preload/concurrency/switches.h"
#include "preload/concurrency/switches_refusal.h"
#include "preload/file/note.h"
#include "preload/process/entry.h"
#include "preload/process/settings.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/own_stack.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"

#include <string.h>

static void note_no_switches(int error)
{
	uint32_t detail;
	enum note_code why = switches_refusal(error, &detail);

	note_once(NOTE_NO_SWITCHES, (uint32_t)-error);
	if (why != NOTE_NONE)
		note_once(why, detail);
}

void lifecycle_begin_parallel(struct thread *self)
{
	if (concurrency_is_parallel())
		return;
	overhead_measure_signal();
	overhead_begin_parallel();
	uint64_t delay_ns = thread_run_delay(self);
	uint64_t waited_ns =
		concurrency_begin_parallel(settings.switches && self->tid == life.pid,
					   &self->event_ring, self->birth_cpu_ns, self->waited_ns);
	thread_leave_out(self, waited_ns, delay_ns);
	routine_stack_leave_out(self->calls, waited_ns);
	if (concurrency_switches_error())
		note_no_switches(concurrency_switches_error());
	else if (!settings.switches)
		note_once(NOTE_SWITCHES_OFF, 0);
}

struct thread *lifecycle_prepare_thread(bool is_joinable, uint64_t stack_bytes)
{
	struct thread *self = thread_or_adopt();

	if (lifecycle_is_sealed())
		return NULL;
	if (self && !self->row) { /* its record was wiped: this process was made by a raw clone */
		lifecycle_forget();
		self = lifecycle_thread();
	}
	if (!self || !self->row)
		return NULL;
	if (unlikely(entry_follow))
		entry_follow();
	lifecycle_begin_parallel(self);
	struct thread *thread = thread_reserve();
	if (!thread)
		return NULL;
	thread_begin_birth(thread);
	thread->stack_bytes = stack_bytes;
	thread->created_ns = clock_now_ns();
	thread->starter_path = routine_stack_innermost(self->calls);
	memcpy(thread->first_name, self->row->name, sizeof thread->first_name);
	thread->is_of_mpi = self->is_of_mpi || (self->wait.frame && self->wait.cause == CAUSE_MPI);
	if (is_joinable)
		thread_hold(
			thread); /* for the creator, which has the joiner's hold if none may join */
	return thread;
}

static void enter(struct thread *thread, void *frame)
{
	if (lifecycle_is_sealed()) /* since it was made */
		return;
	thread->start_path = callpath_start((uint64_t)thread_routine(thread));
	lifecycle_begin_thread(thread, thread->is_of_mpi ? THREAD_OF_MPI : 0,
			       own_stack_of_thread(frame, thread->stack_bytes));
	thread_pass(thread);
	thread_end_birth(thread); /* what it is to run has been read */
}

/* Call stacks end at these two (see unwind_start): not inlined, and in a section of their own. */
__attribute__((noinline, section("thread_start"))) void *lifecycle_run_thread(void *record)
{
	struct thread *thread = record;
	void *(*routine)(void *) = thread->routine;
	void *argument = thread->argument;

	enter(thread, __builtin_frame_address(0));
	void *result = routine(argument);
	__asm__ volatile("" : "+r"(result)); /* no tail call: stacks end at this frame */
	return result;
}

__attribute__((noinline, section("thread_start"))) int lifecycle_run_c11_thread(void *record)
{
	struct thread *thread = record;
	int (*routine)(void *) = thread->c11_routine;
	void *argument = thread->argument;

	enter(thread, __builtin_frame_address(0));
	int result = routine(argument);
	__asm__ volatile("" : "+r"(result));
	return result;
}

void lifecycle_forget_thread(struct thread *thread)
{
	if (thread)
		thread_release(thread);
}
