/* SPDX-License-Identifier: MIT */
#include "preload/life/lifecycle.h"
#include "preload/base/direct.h"
#include "preload/base/system.h"
#include "preload/life/lifecycle_parts.h"

#include "preload/base/clock.h"
#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/perf_filter.h"
#include "preload/base/quiet.h"
#include "preload/base/signal_block.h"
#include "preload/base/tsc_clock.h"
#include "preload/concurrency/switches.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/life/profile_end.h"
#include "preload/life/sealed_guest.h"
#include "preload/locks/mutex_word.h"
#include "preload/locks/objects.h"
#include "preload/process/affinity.h"
#include "preload/process/entry.h"
#include "preload/process/module_map.h"
#include "preload/process/process_memory.h"
#include "preload/process/process_row.h"
#include "preload/process/race_checker.h"
#include "preload/process/real.h"
#include "preload/process/run_directory.h"
#include "preload/process/settings.h"
#include "preload/python/python_code.h"
#include "preload/python/python_find.h"
#include "preload/samples/sample_bank.h"
#include "preload/samples/sample_call.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sample_rows.h"
#include "preload/samples/sampler.h"
#include "preload/sections/section_memory.h"
#include "preload/sections/section_names.h"
#include "preload/sections/section_phase.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/own_stack.h"
#include "preload/stacks/unwind.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/settle.h"

#include <errno.h>
#include <sys/syscall.h>

enum {
	FORGETTING_MOST = 8,
	ROOM_FOR_LATER = 512 << 10, /* of a file that cannot be opened again, also not to cut it */
};

static void (*forgetting[FORGETTING_MOST])(void); /* atomic */
void (*lifecycle_awoke)(struct thread *thread);
void (*lifecycle_exits)(void);

/* The linker's symbols for begin and end of the section with the functions where threads start. */
extern char __start_thread_start[] __attribute__((visibility("hidden")));
extern char __stop_thread_start[] __attribute__((visibility("hidden")));

/* ---- begin ---- */

void lifecycle_forget(void)
{
	store_forget();
	switches_forget();
	process_row = NULL;
	thread_reset();
	thread_life_reset();
	sample_bank_reset();
	descriptors_after_fork(true);
	thread_events_forget();
	affinity_forget();
	for (int i = 0; i < FORGETTING_MOST && forgetting[i]; i++)
		forgetting[i]();
	life.start_ns = clock_now_ns();
	life.start_cpu_ns = clock_thread_cpu_ns();
	life.pid = system_pid();
	profile_end_reset();
	thread_is_unobserved = false;
	__atomic_store_n(&life.state, STATE_ASLEEP, __ATOMIC_RELEASE);
}

void lifecycle_note_limits(void)
{
	uint64_t tick_ns = clock_tick_ns();

	if (!real_find_object)
		note_once(NOTE_NO_UNWIND, 0);
	if (settings.sample_period_ns && settings.sample_period_ns < tick_ns)
		note_once(NOTE_TICK_LIMIT, (uint32_t)(1000000000u / tick_ns));
}

/* The program's time begins when the tool is ready. A fork child's began with the fork: what
 * opening its profile took beyond CPU time is left out. Returns the begin of its life in the
 * figures. */
static uint64_t begin_time(uint64_t called_ns, uint64_t called_cpu_ns)
{
	uint64_t cpu_ns = clock_thread_cpu_ns() - called_cpu_ns;
	uint64_t now_ns = clock_now_ns(), taken_ns = now_ns - called_ns;
	struct format_header *header = store_header();

	if (life.state == STATE_ASLEEP) {
		process_row->start_wait_ns = taken_ns > cpu_ns ? taken_ns - cpu_ns : 0;
		return life.start_ns + process_row->start_wait_ns;
	}
	process_row->start_elapsed_ns = taken_ns;
	header->start_realtime_ns += now_ns - header->start_ns;
	header->start_ns = header->heartbeat_ns = life.start_ns = now_ns;
	return now_ns;
}

/* Opens a profile for this process image and begins the calling thread's life in it. called: when
 * the tool began to work on it. */
int lifecycle_open_tables(uint64_t *start_ns, uint64_t called_ns, uint64_t called_cpu_ns)
{
	const char *directory = run_directory();

	if (life.state != STATE_BEFORE)
		life.pid = system_pid();
	life.start_ns = *start_ns;
	affinity_remember();
	int error = directory ? store_open(directory, process_host(), (uint32_t)life.pid, *start_ns)
			      : -EACCES;
	if (error)
		return error;
	callpath_reset();
	python_code_reset();
	section_names_reset();
	section_phase_reset();
	section_memory_reset();
	sample_rows_reset();
	object_reset();
	module_map_reset();
	note_reset();
	python_note();
	row_array_reset(&life.children);
	if ((error = process_row_open(life.pid)))
		return error;
	process_memory_begin();
	thread_events_open_profile(life.pid);
	*start_ns = begin_time(called_ns, called_cpu_ns);
	concurrency_start(*start_ns, process_row->processors);
	return 0;
}

static bool open_profile(uint64_t start_ns, uint64_t called_ns, uint64_t called_cpu_ns)
{
	if (lifecycle_open_tables(&start_ns, called_ns, called_cpu_ns))
		return false;
	struct thread *thread = thread_reserve();
	if (!thread)
		return false;
	thread->start_path = 0;
	thread->created_ns = start_ns;
	thread->counts_from_zero = life.state == STATE_ASLEEP;
	thread->birth_cpu_ns = life.start_cpu_ns;
	lifecycle_begin_thread(thread, THREAD_FIRST, own_stack_of_process(&thread));
	thread->event_ring.is_gone = 0;
	overhead_write();
	lifecycle_note_limits();
	if (life.state == STATE_ASLEEP) /* otherwise before the profile's begin */
		overhead_add_cpu(thread, called_cpu_ns);
	return true;
}

static void activate(uint64_t start_ns, uint64_t called_ns, uint64_t called_cpu_ns)
{
	bool was_asleep = life.state == STATE_ASLEEP;
	bool works = open_profile(start_ns, called_ns, called_cpu_ns);

	if (!works) {
		thread_set_current(NULL);
		store_forget();
		process_row = NULL;
	}
	__atomic_store_n(&life.state, works ? STATE_ACTIVE : STATE_INERT, __ATOMIC_RELEASE);
	if (works && was_asleep && lifecycle_awoke)
		lifecycle_awoke(thread_self);
}

static void on_exit_code(int status, void *unused)
{
	(void)unused;
	if (lifecycle_exits && thread_self && !lifecycle_is_sealed())
		lifecycle_exits();
	lifecycle_end_process(status);
}

void lifecycle_await_exit(void)
{
	direct.on_exit(on_exit_code, NULL);
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

void lifecycle_start_parts(int32_t tid)
{
	mutex_word_learn(tid);
	module_map_start();
	own_stack_start();
	python_find();
	unwind_start((uint64_t)__start_thread_start, (uint64_t)__stop_thread_start);
	life.has_key = !direct.pthread_key_create(&life.key, lifecycle_thread_ends);
	sampler_start(wake);
	pthread_atfork(lifecycle_before_fork, after_fork_in_parent, after_fork_in_child);
	overhead_measure(tid);
	tsc_clock_choose((enum tsc_clock_choice)settings.quick_clock);
	tsc_clock_calibrate();
	thread_events_start();
}

void lifecycle_start(void)
{
	int saved = errno;
	uint64_t start_ns = clock_now_ns();
	uint64_t cpu_ns = clock_thread_cpu_ns();

	entry_find();
	if (life.state != STATE_BEFORE || entry_is_late)
		return;
	real_need();
	if (race_checker_is_there()) {
		life.state = STATE_INERT;
		return;
	}
	settings_read();
	if (settings.switches || settings.events)
		perf_filter_find();
	uint64_t mask = signals_block();             /* once for all files that are read */
	life.pid = (int32_t)kernel_call(SYS_gettid); /* its first thread, after exec its only one */
	lifecycle_start_parts(life.pid);
	activate(start_ns, start_ns, cpu_ns);
	signals_restore(mask);
	if (life.state == STATE_ACTIVE) {
		lifecycle_await_exit();
		process_row->start_cost_ns = clock_thread_cpu_ns() - cpu_ns;
	}
	errno = saved;
}

struct thread *lifecycle_thread(void)
{
	static __thread bool is_coming;
	enum lifecycle_state state = state_now();
	int saved = errno;

	real_need();
	if (is_coming || state == STATE_BEFORE || state == STATE_DETACHED)
		return NULL;
	if (thread_is_unobserved || state >= STATE_SEALED) {
		thread_is_unobserved = true;
		return NULL;
	}
	if (state == STATE_ASLEEP && !lifecycle_is_own_process())
		return NULL; /* a vfork child's calls must not wake its parent */
	is_coming = true;
	quiet_begin();
	if (state == STATE_ACTIVE && thread_were_wiped()) {
		lifecycle_forget(); /* a raw clone made this process */
		state = STATE_ASLEEP;
	}
	if (state == STATE_ASLEEP)
		activate(life.start_ns, clock_now_ns(), clock_thread_cpu_ns());
	else if (concurrency_is_parallel() || (state == STATE_ACTIVE && lifecycle_begin_beside()))
		thread_is_unobserved = !lifecycle_adopt();
	quiet_end();
	if (unlikely(entry_is_late && thread_self))
		overhead_measure_signal();
	is_coming = false;
	errno = saved;
	return thread_self;
}

/* ---- fork ---- */

static __thread bool is_paused_by_fork;

void lifecycle_before_fork(void)
{
	if (lifecycle_is_sealed())
		return;
	is_paused_by_fork = sample_pause_begin(thread_self);
	descriptors_before_fork();
	if (is_paused_by_fork)
		sample_call_begins(thread_self);
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

void lifecycle_before_new_user(void)
{
	enum lifecycle_state state = state_now();
	int saved = errno;

	if ((state == STATE_ASLEEP || state == STATE_ACTIVE) && lifecycle_is_own_process() &&
	    !kernel_call(SYS_geteuid)) {
		thread_or_adopt();
		store_keep_room(ROOM_FOR_LATER);
	}
	errno = saved;
}

bool lifecycle_is_asleep(void)
{
	return state_now() == STATE_ASLEEP && life.pid == system_pid();
}

static void after_fork_in_sealed(bool is_child)
{
	if (!is_child)
		return;
	lifecycle_forget_self();
	life.state = STATE_SHUT; /* seals are inherited */
}

void lifecycle_after_fork(bool is_child)
{
	if (lifecycle_is_sealed()) {
		after_fork_in_sealed(is_child);
		return;
	}
	if (!is_child && is_paused_by_fork && thread_self)
		sample_call_ended(thread_self);
	descriptors_after_fork(is_child);
	if (!is_child) {
		if (is_paused_by_fork && thread_self)
			sample_pause_end(thread_self, 1);
	} else if (life.state == STATE_DETACHED) {
		lifecycle_forget();
		life.state = STATE_DETACHED;
	} else if (life.state != STATE_INERT && life.state != STATE_BEFORE) {
		lifecycle_forget();
		sampler_arm_sleeper();
	}
}

/* ---- the end ---- */

void lifecycle_close_profile(uint32_t state, int status)
{
	struct format_header *header = store_header();

	if (!header || !lifecycle_is_own_process() || state_now() == STATE_DETACHED)
		return;
	if (thread_self && thread_self->sampled_cpu_ns > thread_self->birth_cpu_ns)
		overhead_measure_signal();
	profile_end_write(header, (enum format_state)state, status);
}

void lifecycle_end_process(int status)
{
	if (state_now() == STATE_SEALED)
		profile_end_set_state(store_header(), FORMAT_STATE_EXITED, status & 0xff);
	if (lifecycle_is_sealed()) {
		sealed_guest_lift();
		return;
	}
	if (__atomic_load_n(&life.state, __ATOMIC_ACQUIRE) == STATE_ASLEEP)
		lifecycle_thread();
	if (thread_self) /* a handler may have jumped out of the end of a wait, or be in it */
		settle_left(thread_self);
	lifecycle_close_profile(FORMAT_STATE_EXITED, status & 0xff);
}

/* ---- children ---- */

void lifecycle_record_child(int pid, int status, bool was_awaited)
{
	uint32_t number;

	sealed_guest_ended(pid);
	if (!store_header() || !lifecycle_is_own_process() || pid <= 0)
		return;
	struct row_children *row = row_array_add(&life.children, &number);
	if (!row)
		return;
	row->end_ns = clock_now_ns();
	row->alive_ns = was_awaited ? row->end_ns : 0;
	uint64_t words = (uint32_t)pid | (uint64_t)(uint32_t)status << 32;
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
}
