/* SPDX-License-Identifier: MIT */
#include "preload/samples/sample_take.h"

#include "arch.h"
#include "preload/base/clock.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/samples/sample_bank.h"
#include "preload/samples/sample_rows.h"
#include "preload/samples/sample_timer.h"
#include "preload/python/python_walk.h"
#include "preload/sections/section_root.h"
#include "preload/sections/section_stack.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/unwind.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/activity.h"
#include "preload/waits/blame.h"

#include <stdint.h>

/* ---- wrappers that do what libc's call does instead of calling it (REPLACES; free mutexes): of
 * the samples in one of them the program would have had most natively, in libc's routine. So those
 * that libc's call would have had are given to it, the others are the profiler's: each thread's
 * samples in turn, in proportion to what both took at start-up (overhead.h) */

/* CALL(name): the wrapper of real.name, in the section that REPLACES(name) made. */
#define REPLACED_CALLS(CALL)                                                                       \
	CALL(pthread_mutex_lock)                                                                   \
	CALL(pthread_mutex_unlock)

/* The linker's symbols for begin and end of a section. */
#define ENDS(section)                                                                              \
	extern char __start_##section[] __attribute__((visibility("hidden")));                     \
	extern char __stop_##section[] __attribute__((visibility("hidden")));
#define IS_IN(code, section)                                                                       \
	(code - (uint64_t)__start_##section < (uint64_t)(__stop_##section - __start_##section))

#define ENDS_OF(name) ENDS(replaces_##name)
REPLACED_CALLS(ENDS_OF)
#undef ENDS_OF
ENDS(stands_for_pthread_mutex_unlock)

static uint64_t original_of(uint64_t code)
{
#define LOOK(name)                                                                                 \
	if (IS_IN(code, replaces_##name))                                                          \
		return (uint64_t)real.name;
	REPLACED_CALLS(LOOK)
#undef LOOK
	return 0;
}

/* The place of a sample in the thread: itself, or the begin of the routine of libc's that the code
 * at it stands for. */
static uint64_t replaced_call_place(struct thread *thread, uint64_t place)
{
	uint64_t code = place & ~UNWIND_EXACT, original = original_of(code);

	if (unlikely(IS_IN(code, stands_for_pthread_mutex_unlock)))
		return (uint64_t)real.pthread_mutex_unlock | UNWIND_EXACT;
	if (likely(!original))
		return place;
	thread->native_credit += overhead_native_share();
	if (thread->native_credit < OVERHEAD_WHOLE)
		return place;
	thread->native_credit -= OVERHEAD_WHOLE;
	return original | UNWIND_EXACT;
}

enum {
	FULL_LOOK_SAMPLES = 64, /* every so many samples update also name and run delay */
	HANDLERS_AT_ONCE = 8,
};

/* If another signal arrives together with ours, its handler is set up first, because its number is
 * lower, and ours then interrupts that handler before its first instruction. The CPU time belongs
 * to what both interrupted. (In programs that signal a thread at each tick, as some runtimes do,
 * the handler used to get a third of it.) */
static const ucontext_t *below_handlers(const ucontext_t *context)
{
	for (int i = 0; i < HANDLERS_AT_ONCE; i++) {
		int number = arch_signal_of(context);
		if (likely(!number) || sample_signal_handler_of(number) != arch_ip_of(context))
			break;
		const ucontext_t *interrupted = arch_interrupted(context);
		if (!interrupted)
			break;
		context = interrupted;
	}
	return context;
}

/* What is executed need not be readable, or there at all: a program may repair that in a handler,
 * before or after this sample. */
static bool begins_routine(uint64_t pc)
{
	struct code_object object;

	return (module_map_find(pc, &object) || unwind_may_read(pc)) && arch_is_beginning(pc);
}

/* A signal handler may make its thread call a routine (Go's preemption does), and our signal,
 * blocked meanwhile, arrives before the routine's first instruction. The CPU time belongs to the
 * interrupted place, to which the routine would return. Such a call is recognized because no call
 * instruction precedes that place. */
static void undo_made_up_call(uint64_t registers[ARCH_REGISTERS])
{
	uint64_t pc = registers[ARCH_PC], sp = registers[ARCH_SP];
	struct code_object object;

	if (!ARCH_HAS_MADE_UP_CALLS || likely(!begins_routine(pc)) || sp & 7 ||
	    !unwind_may_read(sp))
		return;
	uint64_t back = *(const uint64_t *)sp;
	if (!module_map_find(back, &object) || back < object.start + ARCH_CALL_MOST ||
	    back >= object.end || !unwind_may_read(back - ARCH_CALL_MOST) ||
	    !unwind_may_read(back - 1) || arch_may_end_call((const uint8_t *)back))
		return;
	registers[ARCH_PC] = back;
	registers[ARCH_SP] += sizeof back;
}

static uint32_t path_of_context(struct thread *thread, const ucontext_t *context)
{
	uint64_t registers[ARCH_REGISTERS];

	arch_registers_of(below_handlers(context), registers);
	undo_made_up_call(registers);
	struct unwind_frame frame = {
		.pc = registers[ARCH_PC],
		.sp = registers[ARCH_SP],
		.fp = registers[ARCH_FP],
		.registers = registers,
		.is_exact = true,
	};
	if (unlikely(thread->is_busy || thread->wait.frame || concurrency_is_held()))
		activity_look(thread, &frame);
	python_walk(&frame, &thread->stack, &thread->sample_walk, NULL);
	thread->sample_walk.place[0] = replaced_call_place(thread, thread->sample_walk.place[0]);
	return callpath_of(&thread->sample_walk, section_root(thread));
}

/* Of the wait that the thread is in: its CPU time counts in the wait's length as well. */
static uint8_t cause_now(const struct thread *thread)
{
	return thread->wait.frame ? thread->wait.cause : CAUSE_OTHER;
}

static void record(struct thread *thread, uint32_t path, uint64_t cpu_ns)
{
	struct row_samples *row = sample_row(thread, &thread->sample_walk, path,
					     concurrency_level(), cause_now(thread));

	thread->row->samples++;
	if (!row)
		return; /* it remains in the thread's CPU time, as [unsampled] */
	row->cpu_ns += cpu_ns;
	row->count++;
}

__attribute__((noinline)) void sample_take_cramped(struct thread *thread, const ucontext_t *context)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();

	if (unlikely(thread_is_final()))
		return;
	thread->sample_walk.count = 1;
	thread->sample_walk.is_truncated = true;
	thread->sample_walk.place[0] = arch_ip_of(below_handlers(context)) | UNWIND_EXACT;
	record(thread, callpath_of(&thread->sample_walk, section_root(thread)),
	       cpu_ns - thread->sampled_cpu_ns);
	thread->sampled_cpu_ns = cpu_ns;
}

/* If a thread waits for the end of this one: charges this one's CPU time as what that wait is
 * for. */
static void charge_joiner(struct thread *thread, uint32_t path, uint64_t cpu_ns, uint64_t now_ns)
{
	uint64_t since_ns = __atomic_load_n(&thread->joined_since_ns, __ATOMIC_ACQUIRE);

	if (likely(!since_ns) || thread->is_busy || now_ns <= since_ns)
		return;
	uint64_t room_ns = now_ns - since_ns;
	room_ns = room_ns > thread->join_charged_ns ? room_ns - thread->join_charged_ns : 0;
	uint64_t ns = cpu_ns < room_ns ? cpu_ns : room_ns;
	if (blame_charge(thread, path, (uint16_t)thread->joined_row, CAUSE_JOIN,
			 thread->joined_operation, ns))
		thread->join_charged_ns += ns;
}

static void charge_events(struct thread *thread, uint32_t path)
{
	const struct event_place place = {
		.walk = &thread->sample_walk,
		.path = path,
		.level = concurrency_level(),
		.cause = cause_now(thread),
	};

	thread_events_charge(thread->events, &place);
}

/* If samples take more than their budget, they come less often from then on. */
static void keep_budget(struct thread *thread, struct sample_budget sample, uint64_t now_ns)
{
	uint64_t age_ns = now_ns - store_header()->start_ns;
	uint64_t period_ns = sample_budget_judge(&thread->sample_budget, sample, age_ns,
						 settings.budget_percent);

	if (likely(!period_ns))
		return;
	thread->is_young = false;
	sample_timer_set(thread->timer, period_ns);
	note_once(NOTE_SAMPLING_SLOWED, (uint32_t)(period_ns / 1000));
}

/* CPU time that the sample stands for: the thread's since its last one, or, if it is a first one at
 * the thread's first tick, what others have left, too (claims_ns). */
static uint64_t claim(struct thread *thread, uint64_t own_ns)
{
	uint64_t claims_ns = thread->claims_ns;

	thread->claims_ns = 0;
	if (likely(claims_ns <= own_ns))
		return own_ns;
	return own_ns + sample_bank_take(thread_routine(thread), claims_ns - own_ns);
}

static void grow_up(struct thread *thread)
{
	thread->is_young = false;
	sample_timer_set(thread->timer, sample_timer_period_ns(false));
}

__attribute__((noinline)) void sample_take(struct thread *thread, const ucontext_t *context)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();
	uint64_t now_ns = clock_now_ns();
	uint64_t since_ns = cpu_ns - thread->sampled_cpu_ns;

	if (unlikely(thread_is_final()))
		return;
	uint64_t weight_ns = claim(thread, since_ns);
	thread_events_read(thread->events);
	thread->sampled_cpu_ns = cpu_ns;
	if (unlikely(thread->is_young && cpu_ns - thread->birth_cpu_ns > SAMPLE_YOUTH_NS))
		grow_up(thread);
	concurrency_drain(now_ns, false);
	uint32_t path = path_of_context(thread, context);
	record(thread, path, weight_ns);
	charge_events(thread, path);
	charge_joiner(thread, path, since_ns, now_ns);
	thread_update(thread, now_ns, cpu_ns, thread->row->samples % FULL_LOOK_SAMPLES == 1);
	concurrency_update_single(now_ns, cpu_ns - thread->birth_cpu_ns);
	routine_stack_settle_now_and_then(thread->calls, now_ns);
	section_stack_settle(thread, now_ns, cpu_ns);
	store_header()->heartbeat_ns = now_ns;
	if (callpath_is_full())
		note_once(NOTE_CALLPATHS_FULL, 0);
	uint64_t own_ns = clock_now_ns() - now_ns;
	own_ns = own_ns < OVERHEAD_LONG_NS ? own_ns : OVERHEAD_LONG_NS;
	thread->row->tool_ns += own_ns;
	keep_budget(thread,
		    (struct sample_budget){weight_ns, own_ns + overhead_signal_ns(), .samples = 1},
		    now_ns);
}
