/* SPDX-License-Identifier: MIT */
#include "preload/thread/thread_life.h"

#include "preload/base/clock.h"
#include "preload/base/direct.h"
#include "preload/base/interrupted.h"
#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/file/note.h"
#include "preload/process/process_memory.h"
#include "preload/process/process_row.h"
#include "preload/thread/thread_proc.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LATE_NS = 100000, /* a thread that ran later than this after its creation has a run delay */
	CREATION_MOST_NS = 50000, /* with longer creations the delay is read, not guessed */
	DELAY_PAUSE_NS = 100000000,
	OTHERS_MOST = 1024, /* at the process's end so many threads are read */
};

static struct {
	uint32_t alive;       /* atomic */
	bool is_final;        /* atomic */
	uint64_t creation_ns; /* atomic: duration of the latest creation of a thread */
} lives;

/* ---- what the kernel knows ---- */

static uint64_t of_timeval(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* ---- life ---- */

/* The creator's name for now: a system call for each of many short threads would cost too much, but
 * a thread needs a name even if the process is killed before its first update. */
static void begin_name(struct thread *thread)
{
	struct row_threads *row = thread->row;

	thread->has_read_name = false;
	if (row->name[0])
		return;
	if (thread->first_name[0])
		memcpy(row->name, thread->first_name, sizeof row->name);
	else
		kernel_call(SYS_prctl, PR_GET_NAME, row->name);
	thread->first_name[0] = '\0'; /* it is not a fork child's */
}

static void begin_row(struct thread *thread, uint32_t flags)
{
	struct row_threads *row = thread->row;

	begin_name(thread);

	if (row->lives)
		row->past_life_ns += row->updated_ns - row->birth_ns;
	row->birth_ns = row->updated_ns = thread->birth_ns;
	row->start = thread->start_path;
	row->flags = (row->flags & ~(uint32_t)THREAD_UNSAMPLED) | flags | THREAD_ALIVE;
	row->ready_known = row->lives ? row->ready_known : 1;
	thread->past_cpu_ns = row->user_ns + row->system_ns;
	thread->past_system_ns = row->system_ns;
	thread->past_ready_ns = row->ready_ns;
	thread->past_voluntary = row->voluntary_switches;
	thread->past_involuntary = row->involuntary_switches;
	thread->past_unlocks = row->unlocks;
	thread->past_minor = row->minor_faults;
	thread->past_major = row->major_faults;
	thread_processors_begin(&thread->processors, row);
	row->lives++;
	__atomic_store_n(&row->tid, (uint32_t)thread->tid, __ATOMIC_RELEASE);
}

void thread_creation_took(uint64_t ns)
{
	__atomic_store_n(&lives.creation_ns, ns, __ATOMIC_RELAXED);
}

/* Its run delay before it ran. Reading it costs 5 us, most of what a short thread costs, so it is
 * read only if it matters. For threads that share rows it is assumed to be the time since the
 * creation, less what that took, as long as creations are short, and so of about equal length. */
static void find_first_delay(struct thread *thread, uint64_t since_created_ns)
{
	uint64_t creation_ns = __atomic_load_n(&lives.creation_ns, __ATOMIC_RELAXED);

	if (thread->row->lives && creation_ns < CREATION_MOST_NS)
		thread->birth_run_delay_ns = since_created_ns - creation_ns;
	else
		thread_proc_own_delay(thread, &thread->birth_run_delay_ns);
}

/* If a wrapped call started the thread, all that the kernel counts is of this life, also its CPU
 * time until now: the life began that much earlier. (Half of what a thread of some microseconds
 * takes.) */
static void begin_at_start(struct thread *thread, uint64_t cpu_ns)
{
	uint64_t most_ns = thread->birth_ns - thread->created_ns;
	uint64_t before_ns = cpu_ns < most_ns ? cpu_ns : most_ns;

	thread->birth_cpu_ns = cpu_ns - before_ns;
	thread->birth_system_ns = 0;
	thread->birth_voluntary = thread->birth_involuntary = 0;
	thread->birth_minor = thread->birth_major = 0;
	thread->birth_ns -= before_ns;
	if (most_ns > before_ns + LATE_NS)
		find_first_delay(thread, most_ns - before_ns);
}

/* The process's clock begins with its first thread's. A fork child has one thread, whose clock
 * began with the process, and birth_cpu_ns is what the fork took; in another process earlier
 * threads may have ended, before exec. */
static void begin_process(struct thread *thread)
{
	uint64_t process_ns = clock_process_cpu_ns(), cpu_ns = clock_thread_cpu_ns();

	if (!thread->counts_from_zero)
		thread->birth_cpu_ns = cpu_ns;
	process_row_begin_cpu(process_ns - cpu_ns + thread->birth_cpu_ns);
}

/* What the kernel counted before this life began (for the first thread: before the tool
 * started). */
static void read_birth(struct thread *thread, uint32_t flags, uint64_t cpu_ns)
{
	struct rusage usage;

	thread->birth_run_delay_ns = 0;
	thread->may_have_slept = true; /* or the record was another thread's */
	if (flags & THREAD_FIRST)
		begin_process(thread);
	if (thread->counts_from_zero) {
		thread->birth_system_ns = 0; /* birth_cpu_ns is what the fork took */
		thread->birth_voluntary = thread->birth_involuntary = 0;
		thread->birth_minor = thread->birth_major = 0;
		return;
	}
	if (!(flags & (THREAD_FIRST | THREAD_ADOPTED))) {
		begin_at_start(thread, cpu_ns);
		return;
	}
	system_usage(&usage);
	if (!(flags & THREAD_FIRST))
		thread->birth_cpu_ns = clock_thread_cpu_ns();
	thread->birth_system_ns = of_timeval(usage.ru_stime);
	thread->birth_voluntary = (uint64_t)usage.ru_nvcsw;
	thread->birth_involuntary = (uint64_t)usage.ru_nivcsw;
	thread->birth_minor = (uint64_t)usage.ru_minflt;
	thread->birth_major = (uint64_t)usage.ru_majflt;
	if (flags & THREAD_FIRST)
		thread_proc_own_delay(thread, &thread->birth_run_delay_ns);
}

static void count_birth(struct thread *thread, uint32_t flags)
{
	begin_row(thread, flags);
	uint32_t alive = __atomic_add_fetch(&lives.alive, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&process_row->threads_started, 1, __ATOMIC_RELAXED);
	if (alive > process_row->threads_peak)
		process_row->threads_peak = alive;
}

void thread_join_record(struct thread *thread)
{
	/* last: from here on wrapped calls and samples use this record */
	interrupted_fence();
	thread_set_current(thread);
}

void thread_begin(struct thread *thread, uint32_t flags, struct unwind_stack stack, uint64_t cpu_ns)
{
	/* first: the two clocks are to be of one instant */
	thread->birth_ns = flags & THREAD_FIRST ? thread->created_ns : clock_now_ns();
	bool is_process = flags & THREAD_FIRST && !thread->counts_from_zero;
	thread->tid = is_process ? (int32_t)process_row->pid : (int32_t)kernel_call(SYS_gettid);
	thread_set_handle(thread, direct.pthread_self());
	if (!thread->created_ns)
		thread->created_ns = thread->birth_ns;
	thread->stack = stack;
	thread->next_delay_look_ns = thread->birth_ns + DELAY_PAUSE_NS;
	uint64_t now_ns = thread->birth_ns;
	read_birth(thread, flags, cpu_ns);
	count_birth(thread, flags);
	if (flags & THREAD_FIRST) {
		thread->event_ring.tid = (uint32_t)thread->tid;
		thread->event_ring.row = thread->row;
	} else {
		concurrency_born(&thread->event_ring, (uint32_t)thread->tid, thread->row,
				 flags & THREAD_OF_MPI ? CAUSE_MPI : CAUSE_OTHER, now_ns);
		thread->row->covered_ns += now_ns - thread->birth_ns;
	}
	thread_join_record(thread);
}

uint64_t thread_run_delay(const struct thread *self)
{
	uint64_t delay_ns;

	return thread_proc_own_delay(self, &delay_ns) ? 0 : delay_ns;
}

void thread_leave_out(struct thread *thread, uint64_t ns, uint64_t delay_ns)
{
	uint64_t later_ns = ns ? thread_run_delay(thread) : 0;
	uint64_t meanwhile_ns = later_ns > delay_ns ? later_ns - delay_ns : 0;

	thread->birth_run_delay_ns += meanwhile_ns < ns ? meanwhile_ns : ns;
	thread->birth_ns += ns;
	thread->row->birth_ns += ns;
	if (thread->row->updated_ns < thread->row->birth_ns)
		thread->row->updated_ns = thread->row->birth_ns;
}

/* Ready time is part of the time off the processor, whatever the kernel counted meanwhile. */
static void write_delay(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, uint64_t delay_ns)
{
	uint64_t life_ns = now_ns - thread->birth_ns;
	uint64_t off_ns = life_ns > cpu_ns ? life_ns - cpu_ns : 0;

	delay_ns =
		delay_ns > thread->birth_run_delay_ns ? delay_ns - thread->birth_run_delay_ns : 0;
	thread->row->ready_ns = thread->past_ready_ns + (delay_ns < off_ns ? delay_ns : off_ns);
}

static void update_delay(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t delay_ns;

	thread->next_delay_look_ns = now_ns + DELAY_PAUSE_NS;
	int error = thread_proc_own_delay(thread, &delay_ns);
	/* refused for now (descriptors.h): the value of about 0.1 s ago stays */
	if (error == -EAGAIN && thread->has_seen_delay)
		return;
	if (error) {
		thread->row->ready_known = 0;
		note_once(error == -EAGAIN ? NOTE_READY_REFUSED : NOTE_NO_SCHEDSTAT,
			  (uint32_t)-error);
		return;
	}
	/* if the thread lost its processor since `now`, that part of the run delay is later than
	 * `now` */
	uint64_t late_ns = clock_now_ns() - now_ns;

	if (late_ns > LATE_NS)
		delay_ns = delay_ns > late_ns ? delay_ns - late_ns : 0;
	thread->has_seen_delay = true;
	if (thread->row->lives == 1)
		thread->row->ready_known = 1; /* makes up for a reading that was refused */
	write_delay(thread, now_ns, cpu_ns, delay_ns);
	kernel_call(SYS_prctl, PR_GET_NAME, thread->row->name);
	thread->has_read_name = true;
}

/* The kernel's split of CPU time into user and system is coarse; the sum is the thread's CPU clock,
 * which is exact. */
static void write_cpu(struct thread *thread, uint64_t cpu_ns, uint64_t system_ns)
{
	struct row_threads *row = thread->row;

	if (unlikely(!row))
		return;
	system_ns = system_ns > thread->birth_system_ns ? system_ns - thread->birth_system_ns : 0;
	if (system_ns > cpu_ns)
		system_ns = cpu_ns;
	thread->cpu_ns = cpu_ns;
	row->system_ns = thread->past_system_ns + system_ns;
	row->user_ns = thread->past_cpu_ns + cpu_ns - row->system_ns;
}

static void update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay)
{
	struct rusage usage;
	struct row_threads *row = thread->row;

	system_usage(&usage);
	if (unlikely(!row || !thread->row))
		return; /* wiped just now, by a signal handler that forked */
	process_memory_note(usage.ru_maxrss);
	cpu_ns -= thread->birth_cpu_ns;
	write_cpu(thread, cpu_ns, of_timeval(usage.ru_stime));
	row->voluntary_switches =
		thread->past_voluntary + (uint64_t)usage.ru_nvcsw - thread->birth_voluntary;
	row->involuntary_switches =
		thread->past_involuntary + (uint64_t)usage.ru_nivcsw - thread->birth_involuntary;
	row->unlocks = thread->past_unlocks + thread->unlocks;
	row->minor_faults = thread->past_minor + (uint64_t)usage.ru_minflt - thread->birth_minor;
	row->major_faults = thread->past_major + (uint64_t)usage.ru_majflt - thread->birth_major;
	/* a thread that never left its processor was never ready */
	bool has_switched = row->voluntary_switches > thread->past_voluntary ||
			    row->involuntary_switches > thread->past_involuntary;
	if (has_switched && (with_delay || now_ns >= thread->next_delay_look_ns)) {
		update_delay(thread, now_ns, cpu_ns);
		thread_proc_scheduling(thread, 0);
	}
	row->updated_ns = now_ns;
}

bool thread_is_final(void)
{
	return __atomic_load_n(&lives.is_final, __ATOMIC_SEQ_CST);
}

void thread_update(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns, bool with_delay)
{
	if (!thread_is_final())
		update(thread, now_ns, cpu_ns, with_delay);
}

/* In a final profile the thread stays alive, as it was when the profile ended. */
static void end_row(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	struct row_threads *row = thread->row;

	if (thread_is_final())
		return;
	update(thread, now_ns, cpu_ns, true);
	if (row->lives == 1 && !thread->has_read_name)
		kernel_call(SYS_prctl, PR_GET_NAME, row->name);
	row->flags &= ~(uint32_t)THREAD_ALIVE;
}

void thread_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	end_row(thread, now_ns, cpu_ns);
	__atomic_fetch_sub(&lives.alive, 1, __ATOMIC_RELAXED);
	concurrency_died(&thread->event_ring, now_ns);
	thread->created_ns = 0;
}

/* ---- other threads, at the end of the process, and when it is attached to ---- */

static void read_other_delay(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t delay_ns;

	if (thread_proc_delay(thread, &delay_ns) && delay_ns >= thread->birth_run_delay_ns)
		write_delay(thread, now_ns, cpu_ns, delay_ns);
}

uint64_t thread_read_other_cpu(const struct thread *thread)
{
	return clock_other_cpu_ns(thread->tid);
}

/* Calls `look` for all living threads except the caller. */
static void for_others(void (*look)(struct thread *thread, uint64_t now_ns), uint64_t now_ns)
{
	uint32_t count = thread_count(), others = 0;

	for (uint32_t i = 0; i < count && others < OTHERS_MOST; i++) {
		struct thread *thread = thread_at(i);
		if (!thread || thread == thread_self || !thread->row ||
		    !(thread->row->flags & THREAD_ALIVE))
			continue;
		look(thread, now_ns);
		others++;
	}
}

static void look_before(struct thread *thread, uint64_t unused)
{
	(void)unused;
	thread->before_cpu_ns = thread_read_other_cpu(thread);
}

/* The CPU time at now_ns of a thread that runs on: between what was read before and after that
 * instant, and at most what its time off the processor leaves of its life. */
static uint64_t cpu_at_end(const struct thread *thread, uint64_t now_ns, uint64_t after_ns)
{
	const struct row_threads *row = thread->row;
	uint64_t taken_ns = row->off_ns + thread->past_cpu_ns;
	uint64_t life_ns = row->past_life_ns + now_ns - thread->birth_ns;
	uint64_t most_ns = life_ns > taken_ns ? life_ns - taken_ns : 0;
	uint64_t before_ns = thread->before_cpu_ns > thread->birth_cpu_ns
				     ? thread->before_cpu_ns - thread->birth_cpu_ns
				     : 0;

	if (after_ns <= most_ns)
		return after_ns;
	return most_ns > before_ns ? most_ns : before_ns;
}

static void read_other_switches(struct thread *thread)
{
	struct row_threads *row = thread->row;
	uint64_t voluntary, involuntary;

	if (!thread_proc_switches(thread, &voluntary, &involuntary))
		return;
	row->voluntary_switches = thread->past_voluntary + voluntary - thread->birth_voluntary;
	row->involuntary_switches =
		thread->past_involuntary + involuntary - thread->birth_involuntary;
}

static void read_other_faults(struct thread *thread)
{
	struct row_threads *row = thread->row;
	struct thread_stat stat;

	if (!thread_proc_stat(thread, &stat))
		return;
	row->minor_faults = thread->past_minor + stat.minor_faults - thread->birth_minor;
	row->major_faults = thread->past_major + stat.major_faults - thread->birth_major;
}

static void look_after(struct thread *thread, uint64_t now_ns)
{
	uint64_t cpu_ns = thread_read_other_cpu(thread);
	struct row_threads *row = thread->row;

	row->unlocks = thread->past_unlocks + thread->unlocks;
	thread_events_update(thread->events, false);
	if (cpu_ns < thread->birth_cpu_ns + thread->cpu_ns || now_ns < thread->birth_ns)
		return;
	cpu_ns = cpu_at_end(thread, now_ns, cpu_ns - thread->birth_cpu_ns);
	/* another thread's split is expensive to get: the part since its last update counts as
	 * user */
	write_cpu(thread, cpu_ns,
		  row->system_ns - thread->past_system_ns + thread->birth_system_ns);
	read_other_delay(thread, now_ns, cpu_ns);
	read_other_switches(thread);
	read_other_faults(thread);
	thread_proc_name(thread);
	thread_proc_scheduling(thread, thread->tid);
	row->updated_ns = now_ns;
}

char thread_other_state(const struct thread *thread)
{
	struct thread_stat stat;

	return thread_proc_stat(thread, &stat) ? stat.state : '\0';
}

static bool read_birth_stat(struct thread *thread)
{
	struct thread_stat stat;

	if (!thread_proc_stat(thread, &stat) || stat.state == 'Z' || stat.state == 'X')
		return false;
	thread->was_blocked = stat.state == 'S' || stat.state == 'D';
	thread->birth_minor = stat.minor_faults;
	thread->birth_major = stat.major_faults;
	thread->birth_system_ns = stat.system_ns;
	return true;
}

bool thread_begin_other(struct thread *thread, int32_t tid, int32_t number)
{
	thread->tid = number;
	if (!read_birth_stat(thread))
		return false;
	thread_proc_switches(thread, &thread->birth_voluntary, &thread->birth_involuntary);
	thread_proc_name(thread);
	if (!thread_proc_delay(thread, &thread->birth_run_delay_ns))
		thread->birth_run_delay_ns = 0;
	thread->tid = tid;
	thread->stack = (struct unwind_stack){0, 0};
	thread->birth_cpu_ns = thread_read_other_cpu(thread);
	thread->birth_ns = thread->created_ns = clock_now_ns();
	thread->next_delay_look_ns = thread->birth_ns + DELAY_PAUSE_NS;
	count_birth(thread, THREAD_ADOPTED | (tid == system_pid() ? THREAD_FIRST : 0));
	concurrency_born(&thread->event_ring, (uint32_t)tid, thread->row, CAUSE_OTHER,
			 thread->birth_ns);
	/* the caller was stopped in a call, most likely */
	thread->was_blocked |= tid == (int32_t)kernel_call(SYS_gettid);
	if (thread->was_blocked) {
		concurrency_enter_wait(&thread->event_ring, CAUSE_OTHER, thread->birth_ns);
		thread->row->waiting_path = thread->row->waiting_object = 0;
		thread->row->waiting_cause = CAUSE_OTHER;
		thread->row->waiting_since_ns = thread->birth_ns;
	}
	return true;
}

void thread_end_other(struct thread *thread)
{
	if (!thread->row || thread_is_final())
		return;
	thread->row->flags &= ~(uint32_t)THREAD_ALIVE;
	__atomic_fetch_sub(&lives.alive, 1, __ATOMIC_RELAXED);
	/* when it ended, nobody has told: after that, no later than its last record */
	concurrency_died(&thread->event_ring, thread->row->updated_ns);
	thread->created_ns = 0;
	thread->timer = -1; /* the kernel's went with it */
	thread_release(thread);
}

void thread_begin_final(void)
{
	__atomic_store_n(&lives.is_final, true, __ATOMIC_SEQ_CST);
	for_others(look_before, 0);
}

void thread_leave_final(void)
{
	__atomic_store_n(&lives.is_final, false, __ATOMIC_SEQ_CST);
}

void thread_update_all(uint64_t now_ns, uint64_t cpu_ns)
{
	for_others(look_after, now_ns);
	if (!thread_self)
		return;
	thread_events_update(thread_self->events, true);
	update(thread_self, now_ns, cpu_ns, true);
}

void thread_life_reset(void)
{
	lives.alive = 0;
	lives.is_final = false;
}

bool thread_is_callers(const struct thread *thread)
{
	return kernel_call(SYS_gettid) == thread->tid;
}
