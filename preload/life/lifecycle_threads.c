/* SPDX-License-Identifier: MIT */
/* The records of threads: one begins, ends, or is taken by a thread that no wrapped call made. */
#include "preload/base/clock.h"
#include "preload/base/direct.h"
#include "preload/concurrency/switches.h"
#include "preload/file/note.h"
#include "preload/life/lifecycle_parts.h"
#include "preload/process/settings.h"
#include "preload/samples/sampler.h"
#include "preload/sections/section_stack.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/activity.h"

enum {
	END_ROUNDS = 3,    /* of 4 rounds of destructors at most, we want the last */
	KEYS_AT_HAND = 32, /* thread-specific data for which glibc needs no further memory */
};

void lifecycle_begin_thread(struct thread *thread, uint32_t flags, struct unwind_stack stack)
{
	/* open_profile counts what the first one's takes */
	uint64_t since_ns = flags & THREAD_FIRST ? 0 : clock_thread_cpu_ns();

	thread_begin(thread, flags, stack, since_ns);
	if (life.has_key)
		direct.pthread_setspecific(life.key, thread);
	thread_events_begin(&thread->events, thread->number);
	thread->has_no_calls = false;
	routine_stack_begin(&thread->calls, thread->number, thread->stack, thread->starter_path,
			    thread->birth_ns);
	section_stack_renew(thread);
	uint64_t armed_ns = sampler_arm(thread);
	if (flags & THREAD_FIRST)
		return;
	overhead_add(thread, (armed_ns ? armed_ns : clock_thread_cpu_ns()) - since_ns, 1,
		     UINT64_MAX);
}

void lifecycle_forget_self(void)
{
	thread_set_current(NULL);
	thread_is_unobserved = true;
}

static void end_accounts(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	routine_stack_end(thread->calls, now_ns);
	section_stack_end(thread, now_ns, cpu_ns);
}

void lifecycle_end_thread(struct thread *thread)
{
	uint64_t since_ns = clock_thread_cpu_ns();

	sampler_disarm(thread);
	/* asynchronous cancellation may have ended it in the middle of these */
	activity_let_go();
	activity_finish(thread);
	if (!thread_is_final())
		thread_events_end(thread->events);
	uint64_t cpu_ns = clock_thread_cpu_ns();
	uint64_t now_ns = clock_now_ns();
	if (!thread_is_final())
		end_accounts(thread, now_ns, cpu_ns);
	sampler_leave(thread, cpu_ns);
	thread_end(thread, now_ns, cpu_ns);
	lifecycle_forget_self();
	concurrency_drain(now_ns, false);
	if (!thread_is_final())
		overhead_add_cpu(thread, since_ns);
	thread_release(thread);
}

/* The thread has a record of a profile that has ended, and is not to be looked for later. */
static void leave(struct thread *thread)
{
	thread->handle = 0;
	thread_set_current(NULL);
}

/* Called when the thread's routine has ended, among the destructors of thread-specific data. These
 * may call wrapped functions, so it has itself called again and ends the record in the last
 * round. */
void lifecycle_thread_ends(void *record)
{
	struct thread *thread = record;

	if (thread != thread_self)
		return; /* it is of the process before a fork */
	if (state_now() == STATE_DETACHED)
		leave(thread);
	else if (lifecycle_is_sealed())
		lifecycle_forget_self();
	else if (thread->end_rounds++ < END_ROUNDS)
		direct.pthread_setspecific(life.key, thread);
	else
		lifecycle_end_thread(thread);
}

/* ---- threads that no wrapped call made ---- */

/* Its record was made when the process was attached to. Also in the handler of samples: the key of
 * ours is then one of those for which glibc allocates nothing, or the thread's end is not seen. */
static bool join_record(void)
{
	struct thread *thread = thread_take_absent();

	if (!thread)
		return false;
	if (life.has_key && life.key < KEYS_AT_HAND)
		direct.pthread_setspecific(life.key, thread);
	thread->has_no_calls = false;
	routine_stack_begin(&thread->calls, thread->number, thread->stack, 0, thread->birth_ns);
	section_stack_renew(thread);
	sampler_join(thread);
	if (thread->was_blocked) {
		thread->was_blocked = false;
		thread->row->waiting_since_ns = 0;
		concurrency_leave_wait(&thread->event_ring, clock_now_ns());
	}
	thread_set_handle(thread, direct.pthread_self());
	thread_join_record(thread);
	return true;
}

struct thread *lifecycle_adopt(void)
{
	struct thread *thread = join_record() ? NULL : thread_reserve();

	if (thread_self)
		return thread_self;

	if (!thread)
		return NULL;
	thread_release(thread); /* whether it will be joined is not known */
	thread->start_path = 0;
	thread->routine = NULL;
	lifecycle_begin_thread(thread, THREAD_ADOPTED, (struct unwind_stack){0, 0});
	note_once(NOTE_THREAD_ADOPTED, 0);
	return thread;
}

/* The program has made no thread, and here is one: libc made it (for a timer, a message, input and
 * output), or it was made where no wrapper is. False: it is a clone, which shares the memory of the
 * process or the thread-local memory of its first thread. */
bool lifecycle_begin_beside(void)
{
	struct thread *first = thread_at(0);

	if (!first || !first->row || life.pid != system_pid() || thread_is_callers(first) ||
	    first->handle == direct.pthread_self())
		return false;
	uint64_t cpu_ns = thread_read_other_cpu(first);
	overhead_begin_parallel();
	concurrency_begin_beside(settings.switches, &first->event_ring,
				 cpu_ns > first->birth_cpu_ns ? cpu_ns - first->birth_cpu_ns : 0);
	return true;
}
