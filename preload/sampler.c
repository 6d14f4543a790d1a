/* SPDX-License-Identifier: MIT */
#include "sampler.h"

#include "arch.h"
#include "blame.h"
#include "callpath.h"
#include "clock.h"
#include "note.h"
#include "real.h"
#include "settings.h"
#include "store.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
	FULL_LOOK_SAMPLES =
		64, /* every so many samples also name and run delay are brought up to date */
	KERNEL_SIGNALS_BYTES = 8,
	ROOM_FOR_WALK = 3072,
	PREEMPTED_NS = 50000, /* a sample that took longer lost its processor on the way */
	/* What a thread runs after its last sample is nobody's. So that this stays below 2 % from
	 * 0.2 s of CPU on, a young thread is sampled at every tick of a kernel with 250 ticks a
	 * second. */
	YOUTH_NS = 500000000,
	YOUNG_PERIOD_NS = 3000000,
	YOUNG_PERIOD_MOST_NS = 5000000, /* whoever asks for fewer samples gets fewer */
};

static struct {
	struct sigaction program; /* what the program set for our signal, never installed */
	void (*wake)(void);
	int sleeper; /* timer of a process that sleeps; -1: none */
} sampler = {.sleeper = -1};

bool sampler_uses(int signal)
{
	return settings.sample_period_ns && signal == settings.signal;
}

void sampler_exclude(sigset_t *set)
{
	if (settings.sample_period_ns)
		sigdelset(set, settings.signal);
}

void sampler_program_action(const struct sigaction *set, struct sigaction *old)
{
	if (old)
		*old = sampler.program;
	if (set)
		sampler.program = *set;
}

/* ---- the handler ---- */

static uint32_t path_of_context(struct thread *thread, const ucontext_t *context)
{
	uint64_t registers[ARCH_REGISTERS];

	arch_registers_of(context, registers);
	struct unwind_frame frame = {
		.pc = registers[ARCH_PC],
		.sp = registers[ARCH_SP],
		.fp = registers[ARCH_FP],
		.registers = registers,
		.is_exact = true,
	};
	unwind_walk(&frame, &thread->stack, &thread->sample_walk, NULL);
	return callpath_of(&thread->sample_walk);
}

static void record(struct thread *thread, uint32_t path, uint64_t cpu_ns)
{
	uint64_t level = (uint64_t)concurrency_level() << 32;
	struct row_samples *row =
		hashed_find(&thread->samples, path | level, callpath_mark(MARK_OTHER) | level);

	thread->row->samples++;
	if (!row)
		return; /* it stays in the thread's CPU time, as [unsampled] */
	row->cpu_ns += cpu_ns;
	row->count++;
}

/* On an alternate stack of which the program's own handler has left little: then only the innermost
 * place. A walk that has to read unwind information needs 1.2 KiB. */
static bool is_cramped(const ucontext_t *context)
{
	const stack_t *stack = &context->uc_stack;
	uint64_t room = (uint64_t)&stack - (uint64_t)stack->ss_sp;

	return stack->ss_sp && room < stack->ss_size && room < ROOM_FOR_WALK;
}

__attribute__((noinline)) static void sample_cramped(struct thread *thread,
						     const ucontext_t *context)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();

	thread->sample_walk.count = 1;
	thread->sample_walk.is_truncated = true;
	thread->sample_walk.place[0] = arch_ip_of(context) | UNWIND_EXACT;
	record(thread, callpath_of(&thread->sample_walk), cpu_ns - thread->sampled_cpu_ns);
	thread->sampled_cpu_ns = cpu_ns;
}

/* Somebody waits for this thread's end: what it runs is what that wait is for. */
static void charge_joiner(struct thread *thread, uint32_t path, uint64_t cpu_ns, uint64_t now_ns)
{
	uint64_t since_ns = __atomic_load_n(&thread->joined_since_ns, __ATOMIC_ACQUIRE);

	if (likely(!since_ns) || thread->is_busy || now_ns <= since_ns)
		return;
	uint64_t room_ns = now_ns - since_ns;
	room_ns = room_ns > thread->join_charged_ns ? room_ns - thread->join_charged_ns : 0;
	uint64_t ns = cpu_ns < room_ns ? cpu_ns : room_ns;
	blame_charge(thread, path, (uint16_t)thread->joined_row, CAUSE_JOIN, OP_JOIN, ns);
	thread->join_charged_ns += ns;
}

/* Every period, from now on. */
static void set_timer(int timer, uint64_t period_ns)
{
	struct itimerspec times;

	times.it_interval.tv_sec = (time_t)(period_ns / 1000000000u);
	times.it_interval.tv_nsec = (long)(period_ns % 1000000000u);
	times.it_value = times.it_interval;
	syscall(SYS_timer_settime, timer, 0, &times, NULL);
}

/* Samples that take more than the budget of the CPU time that they stand for come half as often
 * from then on. */
static void keep_budget(struct thread *thread, uint64_t weight_ns, uint64_t own_ns)
{
	thread->judged_ns += weight_ns;
	thread->judged_own_ns += own_ns;
	if (thread->row->samples % FULL_LOOK_SAMPLES)
		return;
	if (thread->judged_own_ns > thread->judged_ns / 100 * settings.budget_percent) {
		uint64_t average_ns = thread->judged_ns / FULL_LOOK_SAMPLES;
		thread->is_young = false;
		set_timer(thread->timer, 2 * average_ns);
		note_once(NOTE_SAMPLING_SLOWED, (uint32_t)(2 * average_ns / 1000));
	}
	thread->judged_ns = thread->judged_own_ns = 0;
}

static void grow_up(struct thread *thread)
{
	thread->is_young = false;
	set_timer(thread->timer, settings.sample_period_ns);
}

__attribute__((noinline)) static void sample(struct thread *thread, const ucontext_t *context)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t cpu_ns = clock_thread_cpu_ns();
	uint64_t weight_ns = cpu_ns - thread->sampled_cpu_ns;

	thread->sampled_cpu_ns = cpu_ns;
	if (unlikely(thread->is_young && cpu_ns - thread->birth_cpu_ns > YOUTH_NS))
		grow_up(thread);
	concurrency_drain(now_ns, false);
	uint32_t path = path_of_context(thread, context);
	record(thread, path, weight_ns);
	charge_joiner(thread, path, weight_ns, now_ns);
	thread_update(thread, now_ns, cpu_ns, thread->row->samples % FULL_LOOK_SAMPLES == 1);
	concurrency_update_single(now_ns, cpu_ns - thread->birth_cpu_ns);
	store_header()->heartbeat_ns = now_ns;
	if (callpath_is_full())
		note_once(NOTE_CALLPATHS_FULL, 0);
	uint64_t own_ns = clock_now_ns() - now_ns;
	own_ns = own_ns < PREEMPTED_NS ? own_ns : PREEMPTED_NS;
	thread->row->tool_ns += own_ns;
	keep_budget(thread, weight_ns, own_ns);
}

/* Not our timer's: somebody sent the signal for the program's own purposes. */
static void forward(int number, siginfo_t *info, void *context)
{
	const struct sigaction *action = &sampler.program;

	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
		action->sa_handler(number);
}

static void sampler_wake(void)
{
	syscall(SYS_timer_delete, sampler.sleeper);
	sampler.sleeper = -1;
	sampler.wake();
}

static void handle(int number, siginfo_t *info, void *context)
{
	struct thread *thread = thread_self;
	int saved = errno;

	if (info->si_code != SI_TIMER || info->si_value.sival_ptr != (void *)&sampler) {
		forward(number, info, context);
	} else if (thread && thread->timer >= 0 && store_header()) {
		store_forbid_waiting(true);
		if (unlikely(is_cramped(context)))
			sample_cramped(thread, context);
		else
			sample(thread, context);
		store_forbid_waiting(false);
	} else if (!thread && sampler.sleeper >= 0) {
		sampler_wake();
	}
	errno = saved;
}

/* ---- timers ---- */

void sampler_start(void (*wake)(void))
{
	struct sigaction action = {.sa_sigaction = handle,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	sampler.wake = wake;
	if (!settings.sample_period_ns)
		return;
	/* all signals, also the two that libc keeps for itself: cancellation must not unwind
	 * through the handler */
	memset(&action.sa_mask, 0xff, KERNEL_SIGNALS_BYTES);
	real.sigaction(settings.signal, &action, &sampler.program);
}

static int make_timer(int *timer)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = settings.signal,
		.sigev_value.sival_ptr = &sampler,
	};

	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	return (int)syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, timer) ? errno : 0;
}

void sampler_arm(struct thread *thread)
{
	int saved = errno, timer;

	thread->timer = -1;
	thread->sampled_cpu_ns = thread->birth_cpu_ns;
	if (!settings.sample_period_ns)
		return;
	int error = make_timer(&timer);
	if (error) {
		thread->row->flags |= THREAD_UNSAMPLED;
		note_once(NOTE_NO_TIMER, (uint32_t)error);
	} else {
		thread->timer = timer;
		thread->is_young = settings.sample_period_ns <= YOUNG_PERIOD_MOST_NS &&
				   settings.sample_period_ns > YOUNG_PERIOD_NS;
		set_timer(timer, thread->is_young ? YOUNG_PERIOD_NS : settings.sample_period_ns);
	}
	errno = saved;
}

void sampler_arm_sleeper(void)
{
	int saved = errno, timer;

	if (settings.sample_period_ns && !make_timer(&timer)) {
		sampler.sleeper = timer;
		set_timer(timer, settings.sample_period_ns);
	}
	errno = saved;
}

void sampler_disarm(struct thread *thread)
{
	int timer = thread->timer, saved = errno;

	thread->timer = -1; /* a signal that is already under way is ignored */
	if (timer >= 0)
		syscall(SYS_timer_delete, timer);
	errno = saved;
}

/* ---- the signal itself ---- */

static void change_mask(int how)
{
	uint64_t mask = UINT64_C(1) << (settings.signal - 1);

	if (settings.sample_period_ns)
		syscall(SYS_rt_sigprocmask, how, &mask, NULL, KERNEL_SIGNALS_BYTES);
}

void sampler_block(void)
{
	change_mask(SIG_BLOCK);
}

void sampler_unblock(void)
{
	change_mask(SIG_UNBLOCK);
}

void sampler_before_exec(struct thread *thread)
{
	uint64_t mask = UINT64_C(1) << (settings.signal - 1);
	struct timespec now = {0};
	int saved = errno;

	if (!settings.sample_period_ns)
		return;
	sampler_block();
	if (thread)
		sampler_disarm(thread);
	if (sampler.sleeper >= 0)
		syscall(SYS_timer_delete, sampler.sleeper);
	while (syscall(SYS_rt_sigtimedwait, &mask, NULL, &now, KERNEL_SIGNALS_BYTES) > 0)
		;
	/* nothing is pending and nothing can come: the next program starts with the mask that this
	 * one believes to have */
	sampler_unblock();
	errno = saved;
}

void sampler_after_exec(struct thread *thread)
{
	if (thread)
		sampler_arm(thread);
}
