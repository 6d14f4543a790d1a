/* SPDX-License-Identifier: MIT */
#include "analyze/model/thread_time.h"

/* Records that miss less than this share of a life miss its first and last instants only. */
#define COVERED_PERCENT 99
/* 4 to 10 us were seen on a virtual machine with little else to do. */
#define SWITCH_NS_MAX      25000
#define STOLEN_PERCENT_MAX 3

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

static uint64_t lifetime_of(const struct profile_thread *thread, uint64_t end_ns)
{
	uint64_t end = thread->flags & THREAD_ALIVE ? end_ns : thread->updated_ns;

	return thread->past_life_ns + without(end, thread->birth_ns);
}

/* Off the processor since an instant, and nothing was heard since: it is off to the end. */
static uint64_t still_off(const struct profile_thread *thread, uint64_t end_ns)
{
	bool is_off = thread->off_since_ns && thread->flags & THREAD_ALIVE;

	return is_off ? without(end_ns, thread->off_since_ns) : 0;
}

static bool is_covered(const struct thread_time *time, uint64_t off_now, uint64_t end_ns)
{
	uint64_t covered = time->thread->covered_ns;

	/* The records of the present absence are still to come, but there is no doubt about it. */
	if (off_now && covered)
		covered += without(end_ns, time->thread->updated_ns);
	return covered && covered >= time->lifetime_ns / 100 * COVERED_PERCENT;
}

static uint64_t mpi_time(const struct profile *profile, size_t thread)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->mpi_calls.count; i++)
		if (profile->mpi_calls.rows[i].thread == thread)
			sum += profile->mpi_calls.rows[i].sum_ns;
	return sum;
}

/* Adds the lengths of the waits that the thread has come out of. */
static void add_waits(uint64_t *by_cause_ns, const struct profile *profile, size_t thread)
{
	for (size_t i = 0; i < profile->waits.count; i++)
		if (profile->waits.rows[i].thread == thread)
			by_cause_ns[profile->waits.rows[i].cause] += profile->waits.rows[i].sum_ns;
	by_cause_ns[CAUSE_MPI] += mpi_time(profile, thread);
}

/* A switch is off the processor for the records and CPU time for the thread's clock while the
 * kernel carries it out: some microseconds that count twice. What a thread with many switches has
 * too much by that is not blocked time. */
static void take_off_switching(struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;
	uint64_t switches = thread->voluntary_switches + thread->involuntary_switches;
	uint64_t sum = thread_time_cpu(time) + time->ready_ns + time->blocked_ns;
	uint64_t excess = without(sum, time->lifetime_ns);

	if (!excess || excess > switches * SWITCH_NS_MAX || excess > time->blocked_ns)
		return;
	time->blocked_ns -= excess;
	if (excess > time->lifetime_ns / 100)
		time->blocked_grade = GRADE_ESTIMATED;
}

/* On a processor for the records, but not running for the thread's clock: interrupts, or the host
 * of a virtual machine gave the processor to others. The thread could have run and did not: ready.
 */
static void add_stolen(struct thread_time *time)
{
	uint64_t sum = thread_time_cpu(time) + time->ready_ns + time->blocked_ns;
	uint64_t stolen = without(time->lifetime_ns, sum);

	time->ready_ns += stolen;
	if (stolen > time->lifetime_ns / 100 * STOLEN_PERCENT_MAX)
		time->blocked_grade =
			GRADE_ESTIMATED; /* more than a host takes: records are missing */
}

/* The thread is off the processor, and no record says yet why: in the wait in which it is now, and
 * before that in those that it has come out of since the last record. */
static void add_present_absence(struct thread_time *time, const struct profile *profile,
				uint64_t off_now)
{
	uint64_t waited[CAUSE_LIMIT] = {0};
	uint64_t present = time->open_wait_ns < off_now ? time->open_wait_ns : off_now;
	uint64_t left = off_now - present;

	if (!off_now)
		return;
	time->by_cause_ns[time->thread->waiting_cause] += present;
	add_waits(waited, profile, time->index);
	for (size_t cause = 1; cause < CAUSE_COUNT; cause++) {
		uint64_t unseen = without(waited[cause], time->thread->off_by_cause_ns[cause]);
		uint64_t share = unseen < left ? unseen : left;

		time->by_cause_ns[cause] += share;
		left -= share;
	}
}

/* A wait lasts until the thread runs again: its time off the processor has a part in which the
 * thread was ready. Taken off every cause in proportion, so that the causes sum to the blocked
 * time. */
static void share_out_blocked(struct thread_time *time)
{
	uint64_t explained = 0;

	for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
		explained += time->by_cause_ns[cause];
	if (explained > time->blocked_ns) {
		double factor = (double)time->blocked_ns / (double)explained;
		explained = 0;
		for (size_t cause = 1; cause < CAUSE_COUNT; cause++) {
			time->by_cause_ns[cause] =
				(uint64_t)((double)time->by_cause_ns[cause] * factor);
			explained += time->by_cause_ns[cause];
		}
	}
	time->by_cause_ns[CAUSE_OTHER] = without(time->blocked_ns, explained);
}

static void measure_blocked(struct thread_time *time, const struct profile *profile,
			    uint64_t off_now)
{
	const struct profile_thread *thread = time->thread;

	time->blocked_grade = time->is_ready_known ? GRADE_EXACT : GRADE_ESTIMATED;
	time->blocked_ns = without(thread->off_ns + off_now, time->ready_ns);
	take_off_switching(time);
	add_stolen(time);
	for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
		time->by_cause_ns[cause] = thread->off_by_cause_ns[cause];
	add_present_absence(time, profile, off_now);
	share_out_blocked(time);
}

/* MPI polls: time in its calls may have been on a processor. What no other wait explains of the
 * blocked time was in MPI as far as there was time in MPI. */
static void take_mpi_from_other(struct thread_time *time)
{
	uint64_t other = time->by_cause_ns[CAUSE_OTHER];
	uint64_t blocked_ns = time->mpi_ns < other ? time->mpi_ns : other;

	time->by_cause_ns[CAUSE_MPI] = blocked_ns;
	time->by_cause_ns[CAUSE_OTHER] = other - blocked_ns;
}

static void estimate_blocked(struct thread_time *time, const struct profile *profile)
{
	time->blocked_grade = GRADE_ESTIMATED;
	time->blocked_ns = without(time->lifetime_ns, thread_time_cpu(time) + time->ready_ns);
	add_waits(time->by_cause_ns, profile, time->index);
	time->by_cause_ns[time->thread->waiting_cause] += time->open_wait_ns;
	/* a thread that spins is on a processor */
	uint64_t spinning_ns = time->by_cause_ns[CAUSE_SPINLOCK];
	time->by_cause_ns[CAUSE_SPINLOCK] = time->by_cause_ns[CAUSE_MPI] = 0;
	share_out_blocked(time);
	time->by_cause_ns[CAUSE_SPINLOCK] = spinning_ns;
	take_mpi_from_other(time);
}

struct thread_time thread_time_of(const struct profile *profile, size_t index, uint64_t end_ns)
{
	const struct profile_thread *thread = &profile->threads.rows[index];
	struct thread_time time = {
		.thread = thread,
		.index = index,
		.lifetime_ns = lifetime_of(thread, end_ns),
		.user_ns = thread->user_ns,
		.system_ns = thread->system_ns,
		.ready_ns = thread->ready_known ? thread->ready_ns : 0,
		.is_ready_known = thread->ready_known,
	};
	uint64_t off_now = still_off(thread, end_ns);

	if (thread->waiting_since_ns && thread->flags & THREAD_ALIVE)
		time.open_wait_ns = without(end_ns, thread->waiting_since_ns);
	time.mpi_ns = mpi_time(profile, index);
	if (thread->waiting_cause == CAUSE_MPI)
		time.mpi_ns += time.open_wait_ns;
	if (is_covered(&time, off_now, end_ns))
		measure_blocked(&time, profile, off_now);
	else
		estimate_blocked(&time, profile);
	return time;
}

uint64_t thread_time_cpu(const struct thread_time *time)
{
	return time->user_ns + time->system_ns;
}
