/* SPDX-License-Identifier: MIT */
#include "lifecycle.h"

#include "activity.h"
#include "callpath.h"
#include "clock.h"
#include "code_map.h"
#include "descriptors.h"
#include "note.h"
#include "objects.h"
#include "own_cost.h"
#include "process_row.h"
#include "program_mask.h"
#include "quick_clock.h"
#include "real.h"
#include "run_directory.h"
#include "sampler.h"
#include "settings.h"
#include "store.h"
#include "switches.h"
#include "unwind.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum state {
	STATE_BEFORE, /* the constructor has not run */
	STATE_ASLEEP, /* a fork child that has done nothing yet */
	STATE_ACTIVE,
	STATE_INERT,
};

enum {
	END_ROUNDS = 3, /* destructors of thread-specific data come in at most 4 rounds: we want the
			   last */
	DEFAULT_STACK_BYTES = 8 << 20,
	CHILDREN_MOST = 4096,
	FORGETTING_MOST = 4,
	OTHERS_MOST = 1024, /* threads whose last figures are read at the end of the process */
};

static struct {
	int state; /* atomic: enum state */
	int pid;
	uint64_t start_ns;
	uint64_t start_cost_ns;
	pthread_key_t key; /* its destructor tells of a thread's end */
	bool has_key;
	uint64_t main_stack_high, main_stack_bytes;
	int ending; /* atomic: a thread is writing the last figures */
	struct series children;
} life = {
	.children = {.table = TABLE_children,
		     .row_bytes = sizeof(struct row_children),
		     .rows_per_block = 32,
		     .limit = CHILDREN_MOST,
		     .next = 1},
};

static void (*forgetting[FORGETTING_MOST])(void); /* atomic */

/* The linker's marks around the section of the functions where threads start. */
extern char __start_thread_start[] __attribute__((visibility("hidden")));
extern char __stop_thread_start[] __attribute__((visibility("hidden")));

/* ---- threads ---- */

static void begin_thread(struct thread *thread, uint32_t flags, uint64_t high, uint64_t bytes)
{
	thread_begin(thread, flags, high, bytes);
	if (life.has_key)
		pthread_setspecific(life.key, thread);
	sampler_arm(thread);
}

/* This thread's record has ended. libc runs on for a while, and hooks in its calls (of UCX, in
 * madvise of the stack) run wrapped functions: they must not make it a second thread. */
static __thread bool is_over;

static void end_thread(struct thread *thread)
{
	uint64_t now_ns = clock_now_ns();

	sampler_disarm(thread);
	activity_finish(thread);
	thread_end(thread, now_ns);
	thread_set_current(NULL);
	is_over = true;
	concurrency_drain(now_ns, false);
	thread_release(thread);
}

/* Comes when the thread's routine has ended, among the destructors of thread-specific data; these
 * may call wrapped functions, so it asks to be called again and ends the record in the last round.
 */
static void on_thread_end(void *record)
{
	struct thread *thread = record;

	if (thread != thread_self)
		return; /* of the process before a fork */
	if (thread->end_rounds++ < END_ROUNDS)
		pthread_setspecific(life.key, thread);
	else
		end_thread(thread);
}

void lifecycle_begin_parallel(struct thread *self)
{
	if (concurrency_is_parallel())
		return;
	uint64_t cpu_ns = clock_thread_cpu_ns();
	concurrency_begin_parallel(settings.switches && syscall(SYS_gettid) == life.pid,
				   &self->presence, cpu_ns - self->birth_cpu_ns, self->waited_ns);
	if (concurrency_switches_error())
		note_once(NOTE_NO_SWITCHES, (uint32_t)-concurrency_switches_error());
	else if (!settings.switches)
		note_once(NOTE_SWITCHES_OFF, 0);
}

struct thread *lifecycle_prepare_thread(bool is_joinable, uint64_t stack_bytes)
{
	struct thread *self = thread_or_adopt();

	if (!self || !self->row)
		return NULL;
	lifecycle_begin_parallel(self);
	struct thread *thread = thread_reserve();
	if (!thread)
		return NULL;
	thread->stack = (struct unwind_stack){0, stack_bytes ? stack_bytes : DEFAULT_STACK_BYTES};
	thread->created_ns = clock_now_ns();
	thread->is_of_mpi = self->is_of_mpi || (self->wait.frame && self->wait.cause == CAUSE_MPI);
	if (!is_joinable)
		thread_release(thread);
	return thread;
}

/* frame: of the function that calls the routine, so that the routine's return address lies below
 * it. */
static void enter(struct thread *thread, void *frame)
{
	thread->start_path = callpath_start((uint64_t)thread_routine(thread));
	program_mask_set(thread->starts_blocked);
	begin_thread(thread, thread->is_of_mpi ? THREAD_OF_MPI : 0, (uint64_t)frame,
		     thread->stack.high);
}

/* Call stacks end at these two: see unwind_start. Not inlined, and beside each other in a section
 * of their own. */
__attribute__((noinline, section("thread_start"))) void *lifecycle_run_thread(void *record)
{
	struct thread *thread = record;

	enter(thread, __builtin_frame_address(0));
	void *result = thread->routine(thread->argument);
	__asm__ volatile("" : "+r"(result)); /* no tail call: this frame is where stacks end */
	return result;
}

__attribute__((noinline, section("thread_start"))) int lifecycle_run_c11_thread(void *record)
{
	struct thread *thread = record;

	enter(thread, __builtin_frame_address(0));
	int result = thread->c11_routine(thread->argument);
	__asm__ volatile("" : "+r"(result));
	return result;
}

void lifecycle_forget_thread(struct thread *thread)
{
	if (thread)
		thread_release(thread);
}

/* ---- the process ---- */

static void find_main_stack(void)
{
	struct rlimit limit;
	uint64_t bytes = UINT64_C(8) << 20;

	if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur > bytes && limit.rlim_cur < (UINT64_C(1) << 32))
		bytes = limit.rlim_cur;
	life.main_stack_high = real_stack_end() & ~UINT64_C(7);
	life.main_stack_bytes = bytes;
}

/* What this system cannot give, known from the start. */
static void note_limits(void)
{
	struct timespec tick;

	if (!real_find_object)
		note_once(NOTE_NO_UNWIND, 0);
	/* timers on CPU clocks come at ticks; the coarse clock's resolution is a tick */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_sec || !tick.tv_nsec)
		return;
	if (settings.sample_period_ns && settings.sample_period_ns < (uint64_t)tick.tv_nsec)
		note_once(NOTE_TICK_LIMIT, (uint32_t)(1000000000 / tick.tv_nsec));
}

/* Opens a profile for this process image and begins the calling thread's life in it. */
static bool open_profile(uint64_t start_ns)
{
	unsigned processors = process_count_processors();
	const char *directory = run_directory();

	life.pid = getpid();
	life.start_ns = start_ns;
	if (!directory || store_open(directory, process_host(), (uint32_t)life.pid, start_ns))
		return false;
	callpath_reset();
	object_reset();
	code_map_reset();
	note_reset();
	series_reset(&life.children);
	concurrency_start(start_ns, processors);
	if (process_row_open(processors))
		return false;
	struct thread *thread = thread_reserve();
	if (!thread)
		return false;
	thread->start_path = 0;
	/* A fork child of another thread than the first runs on that thread's stack, whose ends are
	 * not known. */
	bool is_main = (uint64_t)&thread - (life.main_stack_high - life.main_stack_bytes) <
		       life.main_stack_bytes;
	thread->created_ns = start_ns;
	thread->counts_from_zero = life.state == STATE_ASLEEP;
	begin_thread(thread, THREAD_FIRST, is_main ? life.main_stack_high : 0,
		     is_main ? life.main_stack_bytes : 0);
	thread->presence.is_gone = 0;
	own_cost_write();
	note_limits();
	return true;
}

static void activate(uint64_t start_ns)
{
	bool works = open_profile(start_ns);

	if (!works) {
		thread_set_current(NULL);
		store_forget();
		process_row = NULL;
	}
	__atomic_store_n(&life.state, works ? STATE_ACTIVE : STATE_INERT, __ATOMIC_RELEASE);
}

static void on_exit_code(int status, void *unused)
{
	(void)unused;
	lifecycle_end_process(status);
}

static void wake(void)
{
	lifecycle_thread();
}

static void after_fork_in_parent(void)
{
	lifecycle_after_fork(false);
}

static void after_fork_in_child(void)
{
	lifecycle_after_fork(true);
}

void lifecycle_start(void)
{
	int saved = errno;
	uint64_t start_ns = clock_now_ns();
	uint64_t cpu_ns = clock_thread_cpu_ns();

	if (life.state != STATE_BEFORE)
		return;
	real_need();
	settings_read();
	code_map_start();
	find_main_stack();
	unwind_start((uint64_t)__start_thread_start, (uint64_t)__stop_thread_start);
	life.has_key = !pthread_key_create(&life.key, on_thread_end);
	sampler_start(wake);
	pthread_atfork(lifecycle_before_fork, after_fork_in_parent, after_fork_in_child);
	own_cost_measure();
	quick_clock_calibrate();
	activate(start_ns);
	if (life.state == STATE_ACTIVE) {
		on_exit(on_exit_code, NULL);
		process_row->start_cost_ns = clock_thread_cpu_ns() - cpu_ns;
	}
	errno = saved;
}

static struct thread *adopt(void)
{
	struct thread *thread = thread_reserve();

	if (!thread)
		return NULL;
	thread_release(thread); /* who may join it is not known */
	thread->start_path = 0;
	thread->routine = NULL;
	begin_thread(thread, THREAD_ADOPTED, 0, 0);
	note_once(NOTE_THREAD_ADOPTED, 0);
	return thread;
}

struct thread *lifecycle_thread(void)
{
	static __thread bool is_coming;
	int state = __atomic_load_n(&life.state, __ATOMIC_ACQUIRE);
	int saved = errno;

	real_need();
	if (is_coming || is_over || state == STATE_INERT || state == STATE_BEFORE)
		return NULL;
	is_coming = true;
	sampler_block();
	if (state == STATE_ASLEEP)
		activate(life.start_ns);
	else if (!concurrency_is_parallel())
		; /* one that shares its thread-local memory */
	else
		adopt();
	sampler_unblock();
	is_coming = false;
	errno = saved;
	return thread_self;
}

/* ---- fork ---- */

void lifecycle_before_fork(void)
{
	sampler_block();
	descriptors_before_fork();
}

void lifecycle_call_in_child(void (*forget)(void))
{
	for (int i = 0; i < FORGETTING_MOST; i++) {
		void (*known)(void) = NULL;
		if (__atomic_compare_exchange_n(&forgetting[i], &known, forget, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    known == forget)
			return;
	}
}

void lifecycle_after_fork(bool is_child)
{
	descriptors_after_fork(is_child);
	if (is_child && life.state != STATE_INERT && life.state != STATE_BEFORE) {
		/* The parent's file, rings and timers are the parent's. */
		store_forget();
		switches_forget();
		process_row = NULL;
		thread_reset();
		for (int i = 0; i < FORGETTING_MOST && forgetting[i]; i++)
			forgetting[i]();
		life.start_ns = clock_now_ns();
		life.pid = 0;
		life.ending = 0;
		__atomic_store_n(&life.state, STATE_ASLEEP, __ATOMIC_RELEASE);
		sampler_arm_sleeper();
	}
	sampler_unblock();
}

/* ---- the end ---- */

/* Last figures of every thread; their blocks hold everything else already. */
static void update_threads(uint64_t now_ns)
{
	struct thread *self = thread_self;
	uint32_t count = thread_count(), others = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct thread *thread = thread_at(i);
		if (!thread || thread == self || !thread->row ||
		    !(thread->row->flags & THREAD_ALIVE))
			continue;
		if (others++ < OTHERS_MOST)
			thread_update_other(thread, now_ns);
	}
	if (self) {
		uint64_t cpu_ns = clock_thread_cpu_ns();
		thread_update(self, now_ns, cpu_ns, true);
		concurrency_update_single(now_ns, cpu_ns - self->birth_cpu_ns);
	}
}

static void bring_up_to_date(uint64_t now_ns)
{
	update_threads(now_ns);
	if (store_failure())
		note_once(store_failure() == STORE_FULL ? NOTE_FILE_FULL : NOTE_FILE_GROWTH,
			  (uint32_t)store_failure());
	if (object_is_full())
		note_once(NOTE_OBJECTS_FULL, 0);
}

static bool is_own_process(void)
{
	/* a vfork child shares everything with its parent, and must leave it alone */
	return life.pid == getpid();
}

static void close_profile(enum format_state state, int status)
{
	struct format_header *header = store_header();

	if (!header || !is_own_process() || __atomic_exchange_n(&life.ending, 1, __ATOMIC_ACQUIRE))
		return;
	int saved = errno;
	sampler_block();
	uint64_t now_ns = concurrency_close();
	bring_up_to_date(now_ns);
	header->heartbeat_ns = header->end_ns = now_ns;
	header->status = status;
	__atomic_store_n(&header->state, state, __ATOMIC_RELEASE);
	sampler_unblock();
	__atomic_store_n(&life.ending, 0, __ATOMIC_RELEASE);
	errno = saved;
}

void lifecycle_end_process(int status)
{
	if (__atomic_load_n(&life.state, __ATOMIC_ACQUIRE) == STATE_ASLEEP)
		lifecycle_thread();
	close_profile(FORMAT_STATE_EXITED, status & 0xff);
}

/* ---- exec and children ---- */

static bool keeps_preload(char *const environment[])
{
	for (char *const *entry = environment; entry && *entry; entry++)
		if (!strncmp(*entry, "LD_PRELOAD=", 11))
			return strstr(*entry, "libptrace.so") != NULL;
	return false;
}

void lifecycle_note_environment(char *const environment[])
{
	if (store_header() && is_own_process() && !keeps_preload(environment))
		note_once(NOTE_ENVIRONMENT_CLEARED, 0);
}

void lifecycle_before_exec(char *const environment[])
{
	lifecycle_note_environment(environment);
	close_profile(FORMAT_STATE_REPLACED, 0);
	if (is_own_process() || life.state == STATE_ASLEEP)
		sampler_before_exec(thread_self);
}

void lifecycle_after_failed_exec(void)
{
	struct format_header *header = store_header();

	if (!header || !is_own_process())
		return;
	header->end_ns = 0;
	concurrency_reopen();
	__atomic_store_n(&header->state, FORMAT_STATE_RUNNING, __ATOMIC_RELEASE);
	sampler_after_exec(thread_self);
}

void lifecycle_record_child(int pid, int status)
{
	uint32_t number;

	if (!store_header() || !is_own_process() || pid <= 0)
		return;
	struct row_children *row = series_add(&life.children, &number);
	if (!row)
		return;
	row->end_ns = clock_now_ns();
	uint64_t words = (uint32_t)pid | (uint64_t)(uint32_t)status << 32;
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
}
