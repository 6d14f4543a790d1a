/* SPDX-License-Identifier: MIT */
#include "preload/samples/sampler.h"

#include "arch.h"
#include "preload/base/clock.h"
#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"
#include "preload/base/quiet.h"
#include "preload/base/signal_block.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/process/entry.h"
#include "preload/process/process_row.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/samples/cut_call.h"
#include "preload/samples/sample_bank.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sample_take.h"
#include "preload/samples/sample_timer.h"
#include "preload/samples/uring_wait.h"
#include "preload/thread/thread_life.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
	ROOM_FOR_WALK = 3072,   /* on the stack, below the kernel's frame */
	ROOM_FOR_WAKE = 8192,   /* to open a profile */
	ROOM_FOR_SAMPLE = 2560, /* for the innermost place alone */
	/* A first sample at a first tick claims at most so many times the distance between two
	 * samples. Ticks hit short threads less often than their CPU time says where schedulers
	 * start them just after a tick, as they do beside other programs: we saw 0.4 of it. */
	CLAIM_DISTANCES = 4,
	/* Each of the first threads, and later one every so long, makes sure of the handler. */
	FIRST_THREADS = 8,
	CHECK_NS = 1000000,
};

static struct {
	void (*wake)(void);
	int sleeper;          /* timer of a process that is asleep; -1: none */
	bool sleeper_waits;   /* it is to be made when a handler on the alternate stack returns */
	bool is_sealed;       /* atomic */
	bool is_left;         /* atomic: sampler_leave_all */
	uint64_t frame_bytes; /* of the kernel's frame for a signal; 0: not known */
	uint32_t turn;        /* atomic: threads that were armed */
	uint64_t checked_ns;  /* atomic: when the signal's handler was last looked at */
} sampler = {.sleeper = -1};

/* ---- the handler ---- */

/* Bytes left on the alternate stack that the handler runs on; UINT64_MAX: it runs on another
 * stack. */
static uint64_t room_of(const ucontext_t *context)
{
	const stack_t *stack = &context->uc_stack;
	uint64_t room = (uint64_t)&stack - (uint64_t)stack->ss_sp;

	return stack->ss_sp && room < stack->ss_size ? room : UINT64_MAX;
}

static void delete_sleeper(void)
{
	int timer = sampler.sleeper;

	sampler.sleeper = -1;
	sample_timer_delete(timer);
}

/* A process that is asleep has used its first period of CPU time. If the stack is too small to open
 * a profile on, it stays asleep until a wrapped call, or its end. */
static void wake_up(uint64_t room)
{
	delete_sleeper();
	if (room >= ROOM_FOR_WAKE)
		sampler.wake();
}

static void take(struct thread *thread, const ucontext_t *context)
{
	uint64_t room = room_of(context);

	if (unlikely(__atomic_load_n(&sampler.is_left, __ATOMIC_SEQ_CST))) {
		if (thread)
			sampler_disarm(thread); /* it was armed at that moment */
	} else if (thread && thread->timer >= 0 && store_header()) {
		store_forbid_waiting(true);
		if (unlikely(room < ROOM_FOR_WALK))
			sample_take_cramped(thread, context);
		else
			sample_take(thread, context);
		store_forbid_waiting(false);
	} else if (!thread && (sampler.sleeper >= 0 || entry_is_late)) {
		wake_up(room);
	}
}

/* By the first signal, which start-up sends to itself (overhead.c). AT_MINSIGSTKSZ would be four
 * times as much on processors with registers that hardly any program uses. */
static void measure_frame(const ucontext_t *context, const void *frame)
{
	const stack_t *stack = &context->uc_stack;
	uint64_t registers[ARCH_REGISTERS], low = (uint64_t)stack->ss_sp;
	bool is_alternate = (uint64_t)frame - low < stack->ss_size;

	arch_registers_of(context, registers);
	sampler.frame_bytes =
		(is_alternate ? low + stack->ss_size : registers[ARCH_SP]) - (uint64_t)frame;
}

static void handle(int number, siginfo_t *info, void *context)
{
	arch_allow_unaligned();
	int saved = errno;

	if (unlikely(!sampler.frame_bytes))
		measure_frame(context, __builtin_frame_address(0));
	if (!sample_signal_is_ours(info)) {
		sample_signal_forward(number, info, context);
	} else if (!__atomic_load_n(&sampler.is_sealed, __ATOMIC_RELAXED)) {
		if (!quiet_is_now())
			take(thread_self, context);
		cut_call_see(thread_self, context);
		if (unlikely(arch_may_have_failed(context, EINTR)))
			uring_wait_repeat(context);
	}
	errno = saved;
}

/* ---- threads are armed ---- */

void sampler_start(void (*wake)(void))
{
	sampler.wake = wake;
	if (!settings.sample_period_ns)
		return;
	sample_timer_start();
	sample_signal_start(handle);
	sampler.checked_ns = clock_now_ns();
}

static bool is_too_small(const stack_t *stack)
{
	uint64_t frame =
		sampler.frame_bytes ? sampler.frame_bytes : direct_auxiliary(AT_MINSIGSTKSZ);

	return !(stack->ss_flags & SS_DISABLE) && stack->ss_size < frame + ROOM_FOR_SAMPLE;
}

/* The calling thread's alternate stack. Threads begin without one, but the first of a process may
 * have one (a fork child inherits it), and one that no wrapped call started. */
static void read_stack(stack_t *stack)
{
	if (kernel_call(SYS_sigaltstack, NULL, stack))
		*stack = (stack_t){.ss_flags = SS_DISABLE};
}

static void keep_stack(struct thread *thread, const stack_t *stack)
{
	uint64_t low = (uint64_t)stack->ss_sp;

	thread->alternate = stack->ss_flags & SS_DISABLE
				    ? (struct unwind_stack){0, 0}
				    : (struct unwind_stack){low, low + stack->ss_size};
}

/* Whether the thread's first tick is a sample, which claims time of others that never had a tick:
 * so there is one sample per distance of CPU time, however short threads are. If a distance is
 * several ticks, this is true for one in so many threads. */
static bool is_met_at_once(const struct thread *thread)
{
	return !(thread->row->flags & THREAD_FIRST) &&
	       __atomic_fetch_add(&sampler.turn, 1, __ATOMIC_RELAXED) %
			       sample_timer_distance().ticks ==
		       0;
}

/* As sampler_arm. */
static uint64_t start_timer(struct thread *thread, int timer)
{
	uint64_t cpu_ns = 0;
	bool at_once = !thread->is_absent && is_met_at_once(thread);

	thread->timer = timer;
	thread->is_young = sample_timer_has_youth();
	thread->claims_ns = at_once ? CLAIM_DISTANCES * sample_timer_distance().ns : 0;
	uint64_t period_ns = sample_timer_period_ns(thread->is_young);
	thread->paused_left_ns = at_once ? 1 : period_ns;
	thread->paused_period_ns = period_ns;
	if (!thread->is_paused)
		sample_timer_set_from(timer, thread->paused_left_ns, period_ns);
	/* no tick can hit what lies before: it is nobody's to claim */
	if (!(thread->row->flags & THREAD_FIRST) && !thread->is_absent)
		cpu_ns = thread->sampled_cpu_ns = clock_thread_cpu_ns();
	return cpu_ns;
}

void sampler_leave(const struct thread *thread, uint64_t cpu_ns)
{
	bool is_sampled = settings.sample_period_ns && !(thread->row->flags & THREAD_UNSAMPLED);

	if (is_sampled && cpu_ns > thread->sampled_cpu_ns)
		sample_bank_give(thread_routine(thread), cpu_ns - thread->sampled_cpu_ns);
}

static void leave_unsampled(struct thread *thread, enum note_code why, uint32_t detail)
{
	thread->row->flags |= THREAD_UNSAMPLED;
	note_once(why, detail);
}

/* glibc takes the signal when the process makes its first thread; after that hardly anybody does.
 */
static void check_signal(const struct thread *thread)
{
	uint64_t now_ns = thread->birth_ns;

	if ((thread->row->flags & THREAD_FIRST || process_row->threads_started > FIRST_THREADS) &&
	    now_ns - __atomic_load_n(&sampler.checked_ns, __ATOMIC_RELAXED) < CHECK_NS)
		return;
	__atomic_store_n(&sampler.checked_ns, now_ns, __ATOMIC_RELAXED);
	sample_signal_check();
}

static uint64_t arm(struct thread *thread)
{
	stack_t stack = {.ss_flags = SS_DISABLE};
	int timer;

	check_signal(thread);
	if (thread->row->flags & (THREAD_FIRST | THREAD_ADOPTED))
		read_stack(&stack);
	keep_stack(thread, &stack);
	thread->is_paused = stack.ss_flags & SS_ONSTACK; /* until the handler returns */
	if (thread->is_cramped || is_too_small(&stack)) {
		leave_unsampled(
			thread, NOTE_SMALL_STACK,
			(uint32_t)(thread->is_cramped ? thread->stack_bytes : stack.ss_size));
		return 0;
	}
	int error = sample_timer_make(thread->tid, &timer);
	if (!error)
		return start_timer(thread, timer);
	leave_unsampled(thread, NOTE_NO_TIMER, (uint32_t)error);
	return 0;
}

uint64_t sampler_arm(struct thread *thread)
{
	uint64_t cpu_ns = 0;
	int saved = errno;

	delete_sleeper(); /* if a wrapped call woke the process before its timer did */
	thread->timer = -1;
	thread->sampled_cpu_ns = thread->birth_cpu_ns;
	if (settings.sample_period_ns)
		cpu_ns = arm(thread);
	errno = saved;
	return cpu_ns;
}

void sampler_arm_other(struct thread *thread)
{
	int saved = errno, timer;

	thread->timer = -1;
	thread->sampled_cpu_ns = thread->birth_cpu_ns;
	if (settings.sample_period_ns) {
		int error = sample_timer_make(thread->tid, &timer);
		if (error)
			leave_unsampled(thread, NOTE_NO_TIMER, (uint32_t)error);
		else
			start_timer(thread, timer);
	}
	errno = saved;
}

void sampler_leave_all(void)
{
	__atomic_store_n(&sampler.is_left, true, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0, count = thread_count(); i < count; i++)
		if (thread_at(i) && thread_at(i)->row)
			sampler_disarm(thread_at(i));
}

void sampler_seal(void)
{
	int saved = errno;

	__atomic_store_n(&sampler.is_sealed, true, __ATOMIC_RELAXED);
	delete_sleeper();
	sampler.sleeper_waits = false;
	sampler_leave_all();
	errno = saved;
}

void sampler_come_back(void)
{
	__atomic_store_n(&sampler.is_left, false, __ATOMIC_SEQ_CST);
}

void sampler_calm(struct thread *own)
{
	if (own && own->timer >= 0 && !own->is_paused)
		sample_timer_set(own->timer, sample_timer_period_ns(own->is_young));
}

void sampler_join(struct thread *thread)
{
	stack_t stack;

	read_stack(&stack);
	sampler_stack_changed(thread, &stack);
}

void sampler_arm_sleeper(void)
{
	int saved = errno, timer;
	stack_t stack;

	if (!settings.sample_period_ns)
		return;
	read_stack(&stack);
	sampler.sleeper_waits = stack.ss_flags & SS_ONSTACK;
	if (!sampler.sleeper_waits && !is_too_small(&stack) &&
	    !sample_timer_make((int32_t)kernel_call(SYS_gettid), &timer)) {
		sampler.sleeper = timer;
		sample_timer_set(timer, sample_timer_period_ns(false));
	}
	errno = saved;
}

void sampler_disarm(struct thread *thread)
{
	int timer = thread->timer, saved = errno;

	thread->timer = -1; /* a signal that is under way is ignored */
	sample_timer_delete(timer);
	errno = saved;
}

/* ---- alternate stacks ---- */

static void stop(struct thread *thread, enum note_code why, uint32_t detail)
{
	sampler_disarm(thread);
	leave_unsampled(thread, why, detail);
}

static void learn_stack(struct thread *thread, const stack_t *stack)
{
	keep_stack(thread, stack);
	if (thread->timer >= 0 && is_too_small(stack))
		stop(thread, NOTE_SMALL_STACK, (uint32_t)stack->ss_size);
}

void sampler_stack_changed(struct thread *thread, const stack_t *stack)
{
	if (!thread || !thread->row)
		return;
	learn_stack(thread, stack);
	thread->has_new_stack = true;
}

void sampler_leave_stack(struct thread *thread, uint64_t address)
{
	if (thread &&
	    unlikely(address - thread->alternate.low <
		     thread->alternate.high - thread->alternate.low) &&
	    thread->timer >= 0)
		stop(thread, NOTE_STACK_SWITCHED, 0);
}

void sampler_take_due(const void *context)
{
	if (quiet_is_now() || __atomic_load_n(&sampler.is_sealed, __ATOMIC_RELAXED) ||
	    room_of(context) < ROOM_FOR_SAMPLE)
		return;
	uint64_t mask = signals_block();
	take(thread_self, context);
	signals_restore(mask);
}

static struct thread *own_record(void)
{
	struct thread *thread = thread_self;

	return likely(thread) ? thread : thread_own_absent();
}

void sampler_pause(const stack_t *stack)
{
	struct thread *thread = own_record();

	if (thread && thread->row) {
		learn_stack(thread, stack);
		sample_pause_begin(thread);
	} else if (!thread && sampler.sleeper >= 0) {
		int saved = errno;
		delete_sleeper();
		sampler.sleeper_waits = true;
		errno = saved;
	}
}

void sampler_go_on(uint64_t least_ns)
{
	struct thread *thread = own_record();

	if (thread)
		sample_pause_end(thread, least_ns);
	else if (sampler.sleeper_waits)
		sampler_arm_sleeper();
}
