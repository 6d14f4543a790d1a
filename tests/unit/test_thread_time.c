/* SPDX-License-Identifier: MIT */
#include "analyze/model/threads/thread_time.h"
#include "tests/unit/unit.h"

#define MS 1000000ull

static struct profile_thread rows[2];
static struct profile_wait waits[2];

/* A profile with thread 1 and two waits of it for 300 ms and 100 ms of spinning. */
static struct profile profile_with(struct profile_thread thread)
{
	struct profile profile = {0};

	rows[1] = thread;
	waits[0] = (struct profile_wait){.thread = 1, .cause = CAUSE_BARRIER, .sum_ns = 300 * MS};
	waits[1] = (struct profile_wait){.thread = 1, .cause = CAUSE_SPINLOCK, .sum_ns = 100 * MS};
	profile.threads.rows = rows;
	profile.threads.count = 2;
	profile.waits.rows = waits;
	profile.waits.count = 2;
	return profile;
}

static const struct profile_thread covered = {
	.tid = 1,
	.birth_ns = 1000 * MS,
	.updated_ns = 2000 * MS,
	.user_ns = 200 * MS,
	.system_ns = 100 * MS,
	.ready_ns = 50 * MS,
	.ready_known = 1,
	.off_ns = 700 * MS,
	.covered_ns = 1000 * MS,
	.off_by_cause_ns =
		{[CAUSE_OTHER] = 200 * MS, [CAUSE_MUTEX] = 450 * MS, [CAUSE_PREEMPTED] = 50 * MS},
};

static uint64_t sum_of_causes(const struct thread_time *time)
{
	uint64_t sum = 0;

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		sum += time->by_cause_ns[cause];
	return sum;
}

static uint64_t sum_of_states(const struct thread_time *time)
{
	return time->user_ns + time->system_ns + time->ready_ns + time->blocked_ns;
}

START_TEST(with_records_blocked_time_is_measured)
{
	struct profile profile = profile_with(covered);
	struct thread_time time = thread_time_of(&profile, 1, 5000 * MS);

	ck_assert_uint_eq(time.lifetime_ns, 1000 * MS);
	ck_assert_uint_eq(time.blocked_ns, 650 * MS);
	ck_assert_int_eq(time.blocked_grade, GRADE_EXACT);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_MUTEX], 450 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_OTHER], 200 * MS);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
}
END_TEST

START_TEST(without_records_blocked_time_is_what_remains)
{
	struct profile_thread thread = covered;

	thread.covered_ns = 500 * MS;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 5000 * MS);

	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);
	ck_assert_uint_eq(time.blocked_ns, 650 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_BARRIER], 300 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_SPINLOCK], 100 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_OTHER],
			  350 * MS); /* spinning is not being blocked */
}
END_TEST

/* With a switch out and no switch in, the thread was off for longer than it lived. */
START_TEST(with_lost_records_blocked_time_is_what_remains)
{
	struct profile_thread thread = covered;

	thread.off_ns = 900 * MS;
	struct profile profile = profile_with(thread);
	profile.process.switches_lost = 1;
	struct thread_time time = thread_time_of(&profile, 1, 5000 * MS);

	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);
	ck_assert_uint_eq(time.blocked_ns, 650 * MS);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
}
END_TEST

START_TEST(an_unknown_ready_time_is_not_zero)
{
	struct profile_thread thread = covered;

	thread.ready_known = 0;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 5000 * MS);

	ck_assert(!time.is_ready_known);
	ck_assert_uint_eq(time.blocked_ns, 700 * MS);
	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);
}
END_TEST

START_TEST(a_living_thread_that_is_off_stays_off)
{
	struct profile_thread thread = covered;

	thread.flags = THREAD_ALIVE;
	thread.off_since_ns = thread.waiting_since_ns = 2000 * MS;
	thread.waiting_cause = CAUSE_CONDITION;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 4000 * MS);

	ck_assert_uint_eq(time.lifetime_ns, 3000 * MS);
	ck_assert_int_eq(time.blocked_grade, GRADE_EXACT);
	ck_assert_uint_eq(time.blocked_ns, 2650 * MS);
	/* the records' causes hold 200 ms more, in which the thread was ready */
	ck_assert_uint_le(time.by_cause_ns[CAUSE_CONDITION], 2000 * MS);
	ck_assert_uint_ge(time.by_cause_ns[CAUSE_CONDITION], 1800 * MS);
	ck_assert_uint_eq(sum_of_causes(&time), time.blocked_ns);
	ck_assert_uint_eq(time.open_wait_ns, 2000 * MS);

	/* half a second before that wait it left a barrier, of which no record tells yet */
	thread.off_since_ns = 1600 * MS;
	thread.off_ns = 300 * MS;
	profile = profile_with(thread);
	time = thread_time_of(&profile, 1, 4000 * MS);
	ck_assert_uint_le(time.by_cause_ns[CAUSE_CONDITION], 2000 * MS);
	ck_assert_uint_ge(time.by_cause_ns[CAUSE_CONDITION], 1800 * MS);
	ck_assert_uint_le(time.by_cause_ns[CAUSE_BARRIER], 300 * MS);
	ck_assert_uint_ge(time.by_cause_ns[CAUSE_BARRIER], 270 * MS);
	ck_assert_uint_eq(sum_of_causes(&time), time.blocked_ns);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
}
END_TEST

/* It was killed in a wait that began at 3 s; its ready time had been read before it lost its
 * processor for the last time, for 200 ms. */
START_TEST(who_lost_its_processor_was_ready)
{
	struct profile_thread thread = covered;

	thread.flags = THREAD_ALIVE;
	thread.off_by_cause_ns[CAUSE_PREEMPTED] = 250 * MS;
	thread.off_by_cause_ns[CAUSE_OTHER] = 0;
	thread.updated_ns = thread.off_since_ns = thread.waiting_since_ns = 3000 * MS;
	thread.covered_ns = 2000 * MS;
	thread.user_ns = 1200 * MS;
	thread.waiting_cause = CAUSE_SLEEP;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 4000 * MS);

	ck_assert_uint_eq(time.ready_ns, 250 * MS);
	ck_assert_uint_eq(time.blocked_ns, 1450 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_OTHER], 0);
	ck_assert_int_eq(time.blocked_grade, GRADE_EXACT);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);

	/* from 2.8 s on there is no record, and no wait: nobody knows */
	thread.off_since_ns = 2800 * MS;
	profile = profile_with(thread);
	ck_assert_int_eq(thread_time_of(&profile, 1, 4000 * MS).blocked_grade, GRADE_EXACT);
	waits[0].sum_ns = waits[1].sum_ns = 0;
	ck_assert_int_eq(thread_time_of(&profile, 1, 4000 * MS).blocked_grade, GRADE_ESTIMATED);

	/* the kernel's sum was read at its end */
	thread.flags = 0;
	profile = profile_with(thread);
	ck_assert_uint_eq(thread_time_of(&profile, 1, 4000 * MS).ready_ns, 50 * MS);
}
END_TEST

START_TEST(the_time_of_switching_itself_counts_once)
{
	struct profile_thread thread = covered;

	thread.off_ns = 755 * MS; /* 55 ms more than there is room for, 140 us each */
	thread.voluntary_switches = 400;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 0);

	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);

	thread.off_ns = 720 * MS;
	thread.voluntary_switches = 1; /* the host had the processor in the midst of it */
	profile = profile_with(thread);
	time = thread_time_of(&profile, 1, 0);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);

	thread.off_ns = 740 * MS; /* nothing explains it: it stays to be seen */
	profile = profile_with(thread);
	time = thread_time_of(&profile, 1, 0);
	ck_assert_uint_gt(sum_of_states(&time), time.lifetime_ns);
}
END_TEST

/* Its clock began when it was woken, and that was all of its life. */
START_TEST(a_short_thread_may_have_more_cpu_time_than_life)
{
	struct profile_thread thread = covered;

	thread.user_ns = 1200 * MS / 1000;
	thread.system_ns = 0;
	thread.updated_ns = thread.birth_ns + MS;
	thread.covered_ns = MS;
	thread.off_ns = thread.ready_ns = MS / 10;
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 0);

	ck_assert_uint_eq(time.blocked_ns + time.ready_ns, 0);
	ck_assert_int_eq(time.blocked_grade, GRADE_ESTIMATED);
}
END_TEST

/* 300 ms in waits of the OpenMP runtime, the last 100 of which were not over. */
START_TEST(waits_of_openmp_are_spun_or_slept_away)
{
	struct profile_omp_thread omp = {.thread = 1, .wait_ns = 200 * MS, .since_ns = 1900 * MS};
	struct profile_thread thread = covered;

	thread.off_by_cause_ns[CAUSE_OTHER] = 100 * MS;
	thread.off_by_cause_ns[CAUSE_OPENMP] = 100 * MS;
	struct profile profile = profile_with(thread);

	profile.omp_threads.rows = &omp;
	profile.omp_threads.count = 1;
	struct thread_time time = thread_time_of(&profile, 1, 5000 * MS);

	ck_assert_uint_eq(time.omp_open_ns,
			  100 * MS); /* until the thread's end, not the process's */
	ck_assert_uint_eq(time.omp_ns, 300 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_OPENMP], 100 * MS);
	ck_assert_uint_eq(thread_time_awake(&time), 200 * MS);
	/* 300 ms on a processor and 50 ms ready in all its life: in these waits as well */
	ck_assert_uint_eq(thread_time_spin(&time), 200 * MS * 300 / 350);
	/* without records: what no other wait explains of the blocked time */
	thread.covered_ns = 0;
	profile = profile_with(thread);
	profile.omp_threads.rows = &omp;
	profile.omp_threads.count = 1;
	time = thread_time_of(&profile, 1, 5000 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_BARRIER], 300 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_OPENMP], 300 * MS);
	ck_assert_uint_eq(thread_time_spin(&time), 0);
	ck_assert_uint_eq(sum_of_states(&time), time.lifetime_ns);
}
END_TEST

START_TEST(earlier_lives_count)
{
	struct profile_thread thread = covered;

	thread.past_life_ns = 500 * MS;
	struct profile profile = profile_with(thread);

	ck_assert_uint_eq(thread_time_of(&profile, 1, 0).lifetime_ns, 1500 * MS);
}
END_TEST

START_TEST(clocks_that_run_backwards_give_zero)
{
	struct profile_thread thread = {.tid = 1,
					.birth_ns = 10,
					.updated_ns = 5,
					.off_ns = 3,
					.ready_ns = 9,
					.ready_known = 1};
	struct profile profile = profile_with(thread);
	struct thread_time time = thread_time_of(&profile, 1, 0);

	ck_assert_uint_eq(time.lifetime_ns, 0);
	ck_assert_uint_eq(time.blocked_ns, 0);
}
END_TEST

UNIT_MAIN("thread_time", with_records_blocked_time_is_measured,
	  without_records_blocked_time_is_what_remains,
	  with_lost_records_blocked_time_is_what_remains, an_unknown_ready_time_is_not_zero,
	  a_living_thread_that_is_off_stays_off, who_lost_its_processor_was_ready,
	  the_time_of_switching_itself_counts_once, a_short_thread_may_have_more_cpu_time_than_life,
	  waits_of_openmp_are_spun_or_slept_away, earlier_lives_count,
	  clocks_that_run_backwards_give_zero)
