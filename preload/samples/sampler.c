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
#include "preload/process/module_map.h"
#include "preload/process/process_row.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/samples/cut_call.h"
#include "preload/samples/replaced_call.h"
#include "preload/samples/sample_bank.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sample_rows.h"
#include "preload/samples/uring_wait.h"
#include "preload/stacks/callpath.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/activity.h"
#include "preload/waits/blame.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
	FULL_LOOK_SAMPLES = 64, /* every so many samples update also name and run delay */
	ROOM_FOR_WALK = 3072,   /* on the stack, below the kernel's frame */
	ROOM_FOR_WAKE = 8192,   /* to open a profile */
	ROOM_FOR_SAMPLE = 2560, /* for the innermost place alone */
	HANDLERS_AT_ONCE = 8,
	/* A first sample at a first tick claims at most so many times the distance between two
	 * samples. Ticks hit short threads less often than their CPU time says where schedulers
	 * start them just after a tick, as they do beside other programs: we saw 0.4 of it. */
	CLAIM_DISTANCES = 4,
	/* CPU time after a thread's last sample is unsampled. To keep that below 2 % from 0.2 s of
	 * CPU time on, a young thread is sampled at every tick of a kernel with 250 ticks a
	 * second. */
	YOUTH_NS = 500000000,
	YOUNG_PERIOD_NS = 3000000,
	YOUNG_PERIOD_MOST_NS = 5000000, /* with a longer period threads are not young */
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
	uint64_t distance_ns; /* CPU time between two samples of a young thread, in whole ticks */
	uint32_t ticks;       /* in distance_ns */
	uint32_t turn;        /* atomic: threads that were armed */
	uint64_t checked_ns;  /* atomic: when the signal's handler was last looked at */
} sampler = {.sleeper = -1};

/* ---- the handler ---- */

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
	unwind_walk(&frame, &thread->stack, &thread->sample_walk, NULL);
	thread->sample_walk.place[0] = replaced_call_place(thread, thread->sample_walk.place[0]);
	return callpath_of(&thread->sample_walk);
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

/* Bytes left on the alternate stack that the handler runs on; UINT64_MAX: it runs on another
 * stack. */
static uint64_t room_of(const ucontext_t *context)
{
	const stack_t *stack = &context->uc_stack;
	uint64_t room = (uint64_t)&stack - (uint64_t)stack->ss_sp;

	return stack->ss_sp && room < stack->ss_size ? room : UINT64_MAX;
}

/* If the program's own handler has left little of the stack: a sample of the innermost place only.
 * A walk that has to read unwind information needs 1.2 KiB. */
__attribute__((noinline)) static void sample_cramped(struct thread *thread,
						     const ucontext_t *context)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();

	if (unlikely(thread_is_final()))
		return;
	thread->sample_walk.count = 1;
	thread->sample_walk.is_truncated = true;
	thread->sample_walk.place[0] = arch_ip_of(below_handlers(context)) | UNWIND_EXACT;
	record(thread, callpath_of(&thread->sample_walk), cpu_ns - thread->sampled_cpu_ns);
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
	uint64_t uncharged_ns = thread->uncharged_ns;
	if (blame_charge(thread, path, (uint16_t)thread->joined_row, CAUSE_JOIN,
			 thread->joined_operation, ns))
		thread->join_charged_ns += ns;
	thread->uncharged_ns = uncharged_ns; /* this blame is of the joiner's wait */
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

static void set_timer_from(int timer, uint64_t first_ns, uint64_t period_ns)
{
	const struct itimerspec times = {.it_value = clock_span_of(first_ns),
					 .it_interval = clock_span_of(period_ns)};

	kernel_call(SYS_timer_settime, timer, 0, &times, NULL);
}

/* Every period, from now on. */
static void set_timer(int timer, uint64_t period_ns)
{
	set_timer_from(timer, period_ns, period_ns);
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
	set_timer(thread->timer, period_ns);
	note_once(NOTE_SAMPLING_SLOWED, (uint32_t)(period_ns / 1000));
}

/* CPU time that the sample stands for: the thread's since its last one, or, if it is a first one at
 * the thread's first tick, what others have left, too (CLAIM_DISTANCES). */
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
	set_timer(thread->timer, settings.sample_period_ns);
}

__attribute__((noinline)) static void sample(struct thread *thread, const ucontext_t *context)
{
	uint64_t cpu_ns = clock_thread_cpu_ns();
	uint64_t now_ns = clock_now_ns();
	uint64_t since_ns = cpu_ns - thread->sampled_cpu_ns;

	if (unlikely(thread_is_final()))
		return;
	uint64_t weight_ns = claim(thread, since_ns);
	thread_events_read(thread->events);
	thread->sampled_cpu_ns = cpu_ns;
	if (unlikely(thread->is_young && cpu_ns - thread->birth_cpu_ns > YOUTH_NS))
		grow_up(thread);
	concurrency_drain(now_ns, false);
	uint32_t path = path_of_context(thread, context);
	record(thread, path, weight_ns);
	charge_events(thread, path);
	charge_joiner(thread, path, since_ns, now_ns);
	thread_update(thread, now_ns, cpu_ns, thread->row->samples % FULL_LOOK_SAMPLES == 1);
	concurrency_update_single(now_ns, cpu_ns - thread->birth_cpu_ns);
	routine_stack_settle_now_and_then(thread->calls, now_ns);
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

static void delete_sleeper(void)
{
	int timer = sampler.sleeper;

	sampler.sleeper = -1;
	if (timer >= 0)
		kernel_call(SYS_timer_delete, timer);
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
			sample_cramped(thread, context);
		else
			sample(thread, context);
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

/* ---- timers ---- */

static bool is_young_enough(void)
{
	return settings.sample_period_ns <= YOUNG_PERIOD_MOST_NS &&
	       settings.sample_period_ns > YOUNG_PERIOD_NS;
}

/* Timers on CPU clocks expire at ticks. */
static void measure_distance(void)
{
	uint64_t period_ns = is_young_enough() ? YOUNG_PERIOD_NS : settings.sample_period_ns;
	uint64_t known_ns = clock_tick_ns(), tick_ns = known_ns ? known_ns : period_ns;

	sampler.ticks = (uint32_t)((period_ns + tick_ns - 1) / tick_ns);
	sampler.distance_ns = sampler.ticks * tick_ns;
}

void sampler_start(void (*wake)(void))
{
	sampler.wake = wake;
	if (!settings.sample_period_ns)
		return;
	measure_distance();
	sample_signal_start(handle);
	sampler.checked_ns = clock_now_ns();
}

/* On the CPU clock of that thread, to which it sends the signal. */
static int make_timer_of(int32_t tid, int *timer)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SAMPLE_SIGNAL,
		.sigev_value.sival_ptr = sample_signal_token,
	};

	event.sigev_notify_thread_id = tid;
	return (int)kernel_call(SYS_timer_create, clock_of_thread(tid), &event, timer) ? errno : 0;
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
	       __atomic_fetch_add(&sampler.turn, 1, __ATOMIC_RELAXED) % sampler.ticks == 0;
}

/* As sampler_arm. */
static uint64_t start_timer(struct thread *thread, int timer)
{
	uint64_t cpu_ns = 0;
	bool at_once = !thread->is_absent && is_met_at_once(thread);

	thread->timer = timer;
	thread->is_young = is_young_enough();
	thread->claims_ns = at_once ? CLAIM_DISTANCES * sampler.distance_ns : 0;
	uint64_t period_ns = thread->is_young ? YOUNG_PERIOD_NS : settings.sample_period_ns;
	thread->paused_left_ns = at_once ? 1 : period_ns;
	thread->paused_period_ns = period_ns;
	if (!thread->is_paused)
		set_timer_from(timer, thread->paused_left_ns, period_ns);
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
	int error = make_timer_of(thread->tid, &timer);
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
		int error = make_timer_of(thread->tid, &timer);
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
		set_timer(own->timer, own->is_young ? YOUNG_PERIOD_NS : settings.sample_period_ns);
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
	    !make_timer_of((int32_t)kernel_call(SYS_gettid), &timer)) {
		sampler.sleeper = timer;
		set_timer(timer, settings.sample_period_ns);
	}
	errno = saved;
}

void sampler_disarm(struct thread *thread)
{
	int timer = thread->timer, saved = errno;

	thread->timer = -1; /* a signal that is under way is ignored */
	if (timer >= 0)
		kernel_call(SYS_timer_delete, timer);
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
