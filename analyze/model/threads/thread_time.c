/* SPDX-License-Identifier: MIT */
#include "analyze/model/threads/thread_time.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/finding_limits.h"

#include <stdlib.h>

/* Records that cover at least this share of a life miss only its first and last instants. */
#define COVERED_PERCENT 99
/* Of one switch; 4 to 15 us are usual on virtual machines. Where a wake-up takes the processor from
 * another thread, Linux counts the CPU time of the woken one from the instant of waking, and not
 * from the switch (the clock of the run queue is not read again in between). The rest of the
 * interrupt lies between them: with threads that send each other signals it was 35 to 100 us on
 * average. */
#define SWITCH_NS_MAX 250000
/* The host of a virtual machine may take the processor away in the middle of a switch: then its
 * time is CPU time by the thread's clock, and the record is late. A thread that used 20 ms by its
 * own clock and slept once had 21.9 ms of CPU time and was off the processor for all the rest of
 * its life; another one had 14 ms too much. It is a time slice of the host, and occurs once in some
 * thousand threads. */
#define HOST_NS_MAX        30000000
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

/* Off the processor since an instant, without a later record: it stays off until the end. */
static uint64_t still_off(const struct profile_thread *thread, uint64_t end_ns)
{
	bool is_off = thread->off_since_ns && thread->flags & THREAD_ALIVE;

	return is_off ? without(end_ns, thread->off_since_ns) : 0;
}

static bool is_covered(const struct thread_time *time, uint64_t off_now, uint64_t end_ns)
{
	uint64_t covered = time->thread->covered_ns;

	/* The records of the present absence from the processor are still to come, but it is
	 * certain. */
	if (off_now && covered)
		covered += without(end_ns, time->thread->updated_ns);
	return covered && covered >= time->lifetime_ns / 100 * COVERED_PERCENT;
}

/* The waits of all threads, found in a single pass over the tables: one pass for each thread would
 * cost threads x rows. */
struct thread_waits *thread_waits_of(const struct profile *profile)
{
	struct thread_waits *waits = memory_allocate(profile->threads.count + 1, sizeof *waits);

	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];
		waits[row->thread].by_cause_ns[row->cause] += row->sum_ns;
	}
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];
		waits[row->thread].by_cause_ns[CAUSE_MPI] += row->sum_ns;
	}
	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];
		waits[row->thread].by_cause_ns[CAUSE_OPENMP] += row->wait_ns;
		waits[row->thread].omp_since_ns = row->since_ns;
	}
	for (size_t i = 0; i < profile->tallies.count; i++)
		if (profile->tallies.rows[i].operation == OP_YIELD)
			waits[profile->tallies.rows[i].thread].yields +=
				profile->tallies.rows[i].count;
	return waits;
}

/* While the kernel carries out a switch, the thread is off the processor by the records, but uses
 * CPU time by its clock: that counts twice. It has not slept then: for a thread with many switches
 * the excess is subtracted from blocked time. */
static void take_off_switching(struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;
	uint64_t switches = thread->voluntary_switches + thread->involuntary_switches;
	uint64_t sum = thread_time_cpu(time) + time->ready_ns + time->blocked_ns;
	uint64_t excess = without(sum, time->lifetime_ns);

	if (!excess || excess > switches * SWITCH_NS_MAX + HOST_NS_MAX)
		return;
	uint64_t blocked_ns = excess < time->blocked_ns ? excess : time->blocked_ns;
	uint64_t left_ns = excess - blocked_ns;
	time->blocked_ns -= blocked_ns;
	/* a short thread may have more CPU time by its clock than it lived */
	time->ready_ns -= left_ns < time->ready_ns ? left_ns : time->ready_ns;
	if (excess > time->lifetime_ns / 100)
		time->blocked_grade = GRADE_ESTIMATED;
}

/* On a processor by the records, but not running by the thread's clock: interrupts, or the host of
 * a virtual machine gave the processor to others. The thread could have run and did not: ready. */
static void add_stolen(struct thread_time *time)
{
	uint64_t sum = thread_time_cpu(time) + time->ready_ns + time->blocked_ns;
	uint64_t stolen = without(time->lifetime_ns, sum);

	time->ready_ns += stolen;
	if (stolen > time->lifetime_ns / 100 * STOLEN_PERCENT_MAX)
		time->blocked_grade =
			GRADE_ESTIMATED; /* more than a host takes: records are missing */
}

/* The thread is off the processor, and no record says yet why: it is in its present wait and,
 * before that, was in those that ended since the last record. What is left no wait explains: it may
 * have been on a processor again, ready, or blocked. */
static void add_present_absence(struct thread_time *time, const struct thread_waits *waits,
				uint64_t off_now)
{
	uint64_t open_ns = time->omp_open_ns ? time->omp_open_ns : time->open_wait_ns;
	uint64_t cause_now = time->omp_open_ns ? CAUSE_OPENMP : time->thread->waiting_cause;
	uint64_t present = open_ns < off_now ? open_ns : off_now;
	uint64_t left = off_now - present;

	if (!off_now)
		return;
	time->by_cause_ns[cause_now] += present;
	for (size_t cause = 1; cause < CAUSE_COUNT; cause++) {
		uint64_t unseen =
			without(waits->by_cause_ns[cause], time->thread->off_by_cause_ns[cause]);
		uint64_t share = unseen < left ? unseen : left;

		time->by_cause_ns[cause] += share;
		left -= share;
	}
	if (left > time->lifetime_ns / 100 * (100 - COVERED_PERCENT))
		time->blocked_grade = GRADE_ESTIMATED;
}

/* A wait lasts until the thread runs again: for a part of its time off the processor the thread was
 * ready. That is subtracted from all causes in proportion, so that the causes add up to the blocked
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
				number_of_real((double)time->by_cause_ns[cause] * factor);
			explained += time->by_cause_ns[cause];
		}
	}
	time->by_cause_ns[CAUSE_OTHER] = without(time->blocked_ns, explained);
}

static void measure_blocked(struct thread_time *time, const struct thread_waits *waits,
			    uint64_t off_now)
{
	const struct profile_thread *thread = time->thread;

	/* the ready time of threads that share a row is an estimate (note THREADS_FOLDED) */
	time->blocked_grade =
		time->is_ready_known && thread->lives < 2 ? GRADE_EXACT : GRADE_ESTIMATED;
	time->blocked_ns = without(thread->off_ns + off_now, time->ready_ns);
	take_off_switching(time);
	add_stolen(time);
	for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
		time->by_cause_ns[cause] = thread->off_by_cause_ns[cause];
	add_present_absence(time, waits, off_now);
	share_out_blocked(time);
}

/* MPI and OpenMP poll: time in their waits may have been on a processor. Blocked time that no other
 * wait explains was in them, up to the time spent in them. */
static void take_from_other(struct thread_time *time, enum cause cause, uint64_t wait_ns)
{
	uint64_t other = time->by_cause_ns[CAUSE_OTHER];
	uint64_t blocked_ns = wait_ns < other ? wait_ns : other;

	time->by_cause_ns[cause] = blocked_ns;
	time->by_cause_ns[CAUSE_OTHER] = other - blocked_ns;
}

/* Signals stopped the process, as ptrace-run saw: blocked time of the thread that nothing else
 * explains, and that it can have been so, within its life. */
static void take_stopped(struct thread_time *time, const struct profile *profile, uint64_t end_ns)
{
	const struct format_header *header = &profile->header;
	const struct profile_thread *thread = time->thread;
	uint64_t life_end_ns = thread->flags & THREAD_ALIVE ? end_ns : thread->updated_ns;
	uint64_t from_ns =
		header->first_stop_ns > thread->birth_ns ? header->first_stop_ns : thread->birth_ns;
	uint64_t to_ns = header->last_stop_ns < life_end_ns ? header->last_stop_ns : life_end_ns;
	uint64_t within_ns = without(to_ns, from_ns);

	take_from_other(time, CAUSE_STOPPED,
			header->stopped_ns < within_ns ? header->stopped_ns : within_ns);
}

static void estimate_blocked(struct thread_time *time, const struct thread_waits *waits)
{
	time->blocked_grade = GRADE_ESTIMATED;
	time->blocked_ns = without(time->lifetime_ns, thread_time_cpu(time) + time->ready_ns);
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		time->by_cause_ns[cause] = waits->by_cause_ns[cause];
	time->by_cause_ns[time->thread->waiting_cause] += time->open_wait_ns;
	/* a thread that spins is on a processor */
	uint64_t spinning_ns = time->by_cause_ns[CAUSE_SPINLOCK];
	time->by_cause_ns[CAUSE_SPINLOCK] = time->by_cause_ns[CAUSE_MPI] =
		time->by_cause_ns[CAUSE_OPENMP] = 0;
	share_out_blocked(time);
	time->by_cause_ns[CAUSE_SPINLOCK] = spinning_ns;
	take_from_other(time, CAUSE_MPI, time->mpi_ns);
	take_from_other(time, CAUSE_OPENMP, time->omp_ns);
}

/* Waits without a recorded end lasted until the end of the thread. */
static void add_open_waits(struct thread_time *time, const struct thread_waits *waits,
			   uint64_t end_ns)
{
	const struct profile_thread *thread = time->thread;
	uint64_t life_end_ns = thread->flags & THREAD_ALIVE ? end_ns : thread->updated_ns;

	if (thread->waiting_since_ns && thread->flags & THREAD_ALIVE)
		time->open_wait_ns = without(end_ns, thread->waiting_since_ns);
	if (waits->omp_since_ns)
		time->omp_open_ns = without(life_end_ns, waits->omp_since_ns);
	time->mpi_ns = waits->by_cause_ns[CAUSE_MPI];
	time->omp_ns = waits->by_cause_ns[CAUSE_OPENMP] + time->omp_open_ns;
	if (thread->waiting_cause == CAUSE_MPI)
		time->mpi_ns += time->open_wait_ns;
	time->yields = waits->yields;
	time->spinlock_ns = waits->by_cause_ns[CAUSE_SPINLOCK];
	if (thread->waiting_cause == CAUSE_SPINLOCK)
		time->spinlock_ns += time->open_wait_ns;
	/* a lock; a wait at a barrier is in omp_threads, and counts once */
	if (thread->waiting_cause == CAUSE_OPENMP && !time->omp_open_ns)
		time->omp_ns += time->open_wait_ns;
}

/* The kernel's sum is read now and then, and at the thread's end; of one that has not ended the
 * records may know more. Who lost its processor without having given it up is ready. */
static uint64_t ready_of(const struct profile_thread *thread)
{
	uint64_t preempted_ns = thread->off_by_cause_ns[CAUSE_PREEMPTED];
	bool is_later = thread->flags & THREAD_ALIVE && preempted_ns > thread->ready_ns;

	if (!thread->ready_known)
		return 0;
	return is_later ? preempted_ns : thread->ready_ns;
}

struct thread_time thread_time_with(const struct profile *profile, size_t index, uint64_t end_ns,
				    const struct thread_waits *all)
{
	const struct profile_thread *thread = &profile->threads.rows[index];
	const struct thread_waits *waits = &all[index];
	struct thread_time time = {
		.thread = thread,
		.index = index,
		.lifetime_ns = lifetime_of(thread, end_ns),
		.user_ns = thread->user_ns,
		.system_ns = thread->system_ns,
		.ready_ns = ready_of(thread),
		.is_ready_known = thread->ready_known != 0,
	};
	uint64_t off_now = still_off(thread, end_ns);

	add_open_waits(&time, waits, end_ns);
	/* Nobody knows to which threads the kernel's lost records belonged. */
	if (is_covered(&time, off_now, end_ns) && !profile->process.switches_lost)
		measure_blocked(&time, waits, off_now);
	else
		estimate_blocked(&time, waits);
	take_stopped(&time, profile, end_ns);
	return time;
}

struct thread_time thread_time_of(const struct profile *profile, size_t index, uint64_t end_ns)
{
	struct thread_waits *waits = thread_waits_of(profile);
	struct thread_time time = thread_time_with(profile, index, end_ns, waits);

	free(waits);
	return time;
}

void thread_time_add(struct thread_time *sum, const struct thread_time *time)
{
	sum->lifetime_ns += time->lifetime_ns;
	sum->user_ns += time->user_ns;
	sum->system_ns += time->system_ns;
	sum->ready_ns += time->ready_ns;
	sum->blocked_ns += time->blocked_ns;
	sum->idle_ns += time->idle_ns;
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		sum->by_cause_ns[i] += time->by_cause_ns[i];
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		sum->requests_ns[i] += time->requests_ns[i];
	sum->mpi_ns += time->mpi_ns;
	sum->spinlock_ns += time->spinlock_ns;
	sum->yields += time->yields;
	sum->omp_ns += time->omp_ns;
	sum->omp_open_ns += time->omp_open_ns;
	sum->is_ready_known &= time->is_ready_known;
	sum->blocked_grade = grade_worse(sum->blocked_grade, time->blocked_grade);
}

uint64_t thread_time_awake(const struct thread_time *time)
{
	return without(time->omp_ns, time->by_cause_ns[CAUSE_OPENMP]);
}

/* Of time in which the thread was on a processor or ready for one. */
static uint64_t on_processor(const struct thread_time *time, uint64_t awake_ns)
{
	uint64_t cpu_ns = thread_time_cpu(time);
	double share = cpu_ns ? (double)cpu_ns / (double)(cpu_ns + time->ready_ns) : 0;
	uint64_t spin_ns = number_of_real((double)awake_ns * share);

	return spin_ns < cpu_ns ? spin_ns : cpu_ns;
}

uint64_t thread_time_spin(const struct thread_time *time)
{
	return on_processor(time, thread_time_awake(time));
}

uint64_t thread_time_spun(const struct thread_time *time)
{
	return on_processor(time, time->spinlock_ns);
}

uint64_t thread_time_polled(const struct thread_time *time)
{
	uint64_t cpu_ns = thread_time_cpu(time);
	double polled_ns = (double)thread_time_spin(time) + (double)thread_time_spun(time) +
			   finding_limits.yield * (double)time->yields;

	return polled_ns < (double)cpu_ns ? number_of_real(polled_ns) : cpu_ns;
}

uint64_t thread_time_worked(const struct thread_time *time)
{
	return thread_time_cpu(time) - thread_time_polled(time);
}

uint64_t thread_time_cpu(const struct thread_time *time)
{
	return time->user_ns + time->system_ns;
}

uint64_t thread_locks_ns(const struct thread_time *time)
{
	return time->by_cause_ns[CAUSE_MUTEX] + time->by_cause_ns[CAUSE_RWLOCK] +
	       time->by_cause_ns[CAUSE_SPINLOCK];
}

double thread_joining_ns(const struct thread_time *time)
{
	return (double)time->by_cause_ns[CAUSE_JOIN] + (double)time->by_cause_ns[CAUSE_PROCESS];
}
