/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_threads.h"

#include "analyze/base/keyed_table.h"
#include "analyze/live/live_kernel.h"

/* A thread that waits so long for work, time or input has nothing to do. */
#define IDLE_NS UINT64_C(60000000000)

struct keyed_table *live_usages_create(void)
{
	return keyed_table_create(sizeof(struct live_usage), 2 * sizeof(uint64_t));
}

/* Since when the thread is in a wait, also one of the OpenMP runtime, and for what. 0: in none. */
static uint64_t wait_since(const struct profile_thread *row, uint64_t omp_since_ns, uint64_t *cause)
{
	*cause = CAUSE_OTHER;
	if (row->waiting_since_ns) {
		*cause = row->waiting_cause;
		return row->waiting_since_ns;
	}
	if (omp_since_ns)
		*cause = CAUSE_OPENMP;
	return omp_since_ns;
}

/* In such a wait a thread may use the processor. */
static bool is_polling(uint64_t cause)
{
	return cause == CAUSE_MPI || cause == CAUSE_OPENMP || cause == CAUSE_SPINLOCK;
}

/* Of an interval what was used of it. Clocks that are read one after the other, and a thread's
 * that is accounted at ticks, may claim more than all of it. */
static void share_out(struct live_thread *thread, uint64_t interval_ns, uint64_t cpu_ns,
		      uint64_t ready_ns)
{
	thread->is_known = true;
	thread->interval_ns = interval_ns;
	thread->running_ns = cpu_ns < interval_ns ? cpu_ns : interval_ns;
	uint64_t rest = interval_ns - thread->running_ns;

	thread->ready_ns = ready_ns < rest ? ready_ns : rest;
	thread->blocked_ns = rest - thread->ready_ns;
}

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* Between two usages; if there is no earlier one, since the thread began. */
static void compare(struct live_thread *thread, const struct live_usage *old,
		    const struct live_usage *now)
{
	uint64_t from_ns = old ? old->at_ns : now->birth_ns;

	if (now->at_ns <= from_ns)
		return;
	share_out(thread, now->at_ns - from_ns, without(now->cpu_ns, old ? old->cpu_ns : 0),
		  without(now->ready_ns, old ? old->ready_ns : 0));
}

static enum live_state state_of(const struct live_kernel *kernel, const struct live_thread *thread)
{
	switch (kernel->state) {
	case 'R':
		return thread->is_known && thread->ready_ns > thread->running_ns ? LIVE_READY
										 : LIVE_RUNNING;
	case 'T':
	case 't':
		return LIVE_STOPPED;
	case 'Z':
	case 'X':
		return LIVE_ENDED;
	case '?':
		return thread->waiting_ns ? LIVE_WAITING : LIVE_UNKNOWN;
	default:
		return thread->waiting_ns ? LIVE_WAITING : LIVE_BLOCKED;
	}
}

static bool is_idle(const struct live_thread *thread)
{
	return thread->state == LIVE_WAITING && thread->waiting_ns >= IDLE_NS &&
	       !cause_is_lock(thread->cause) && thread->cause != CAUSE_BARRIER &&
	       thread->cause != CAUSE_JOIN && thread->cause != CAUSE_MPI;
}

/* The row's sums are those of all threads that it stood for; only where it was one alone they
 * are the thread's. */
static bool usage_of_row(const struct profile_thread *row, struct live_usage *usage)
{
	usage->at_ns = row->updated_ns;
	usage->cpu_ns = row->user_ns + row->system_ns;
	usage->ready_ns = row->ready_ns;
	return row->lives <= 1 && row->updated_ns > row->birth_ns;
}

static bool usage_of_kernel(const struct live_kernel *kernel, uint64_t now_ns,
			    struct live_usage *usage)
{
	usage->at_ns = now_ns;
	usage->cpu_ns = kernel->cpu_ns;
	usage->ready_ns = kernel->ready_ns;
	return kernel->is_known;
}

/* Blocked in one wait since the reading before: nothing else can be true of it. */
static bool was_waiting(const struct live_thread *thread, const struct live_usages *before,
			const struct live_usage *old, uint64_t now_ns)
{
	return old && thread->waiting_ns && !is_polling(thread->cause) && before->at_ns &&
	       now_ns - thread->waiting_ns <= old->at_ns;
}

static struct live_kernel ask(const struct profile *profile, const struct profile_thread *row,
			      struct live_usages *before)
{
	if (before->is_over || !(row->flags & THREAD_ALIVE) || before->asked >= LIVE_ASKED_MAX)
		return (struct live_kernel){.state = '?'};
	before->asked++;
	return live_kernel_read(profile->header.pid, row->tid, profile->process.pid_namespace);
}

/* What the thread's wait, the kernel and the row together tell; false: nothing. */
static bool read_usage(const struct profile *profile, const struct profile_thread *row,
		       uint64_t now_ns, struct live_usages *before, struct live_thread *thread,
		       struct live_usage *usage)
{
	const struct live_usage *old = keyed_table_find(before->table, usage);

	if (!before->is_over && was_waiting(thread, before, old, now_ns)) {
		usage->cpu_ns = old->cpu_ns;
		usage->ready_ns = old->ready_ns;
		usage->at_ns = now_ns;
		compare(thread, old, usage);
		thread->state = LIVE_WAITING;
		return true;
	}
	struct live_kernel kernel = ask(profile, row, before);
	bool is_usage = usage_of_kernel(&kernel, now_ns, usage) || usage_of_row(row, usage);

	if (is_usage)
		compare(thread, old, usage);
	thread->state = row->flags & THREAD_ALIVE && !before->is_over ? state_of(&kernel, thread)
								      : LIVE_ENDED;
	return is_usage;
}

struct live_thread live_thread_read(const struct profile *profile, size_t index,
				    uint64_t omp_since_ns, uint64_t now_ns,
				    struct live_usages *before, struct keyed_table *next)
{
	const struct profile_thread *row = &profile->threads.rows[index];
	struct live_thread thread = {
		.pid = profile->header.pid, .tid = row->tid, .birth_ns = row->birth_ns};
	struct live_usage usage = {.tid = row->tid, .birth_ns = row->birth_ns};

	uint64_t since_ns = wait_since(row, omp_since_ns, &thread.cause);

	if (since_ns && row->flags & THREAD_ALIVE && !before->is_over)
		thread.waiting_ns = now_ns > since_ns ? now_ns - since_ns : 1;
	else
		thread.cause = CAUSE_OTHER;
	if (read_usage(profile, row, now_ns, before, &thread, &usage))
		*(struct live_usage *)keyed_table_enter(next, &usage, NULL) = usage;
	if (is_idle(&thread))
		thread.state = LIVE_IDLE;
	return thread;
}
