/* SPDX-License-Identifier: MIT */
/* Teams without a runtime: what one calls, the test calls. Times are what the clock says, so that
 * only sums and orders are compared. */
#include "fake_thread.h"
#include "preload/openmp/omp_task.h"
#include "preload/openmp/omp_team.h"
#include "preload/process/process_row.h"
#include "preload/stacks/site.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <pthread.h>

enum { PLACE = 0x4000, INNER = 0x5000, STEP_NS = 300000 };

static struct omp_thread *start(void)
{
	struct omp_thread *omp = omp_thread_of(fake_process());

	ck_assert_ptr_nonnull(omp);
	return omp;
}

static uint64_t sum(size_t column)
{
	return scratch_sum(TABLE_omp_executions, 0, (uint32_t)column);
}

#define SUM(column) sum(offsetof(struct row_omp_executions, column))

/* Of all executions of teams of that size. */
static void expect_law(uint64_t team)
{
	ck_assert_uint_eq(team * SUM(elapsed_ns),
			  SUM(fork_ns) + SUM(work_ns) + SUM(wait_ns) + SUM(join_ns));
}

static void run_alone(struct omp_thread *omp, uint64_t place, void (*body)(struct omp_thread *))
{
	struct omp_team team;
	struct omp_member member;

	ck_assert(omp_team_open(&team, omp, place, 1, SITE_HERE, UINT64_MAX));
	omp_member_begin(&member, &team, 0, 1);
	body(omp);
	omp_member_end(&member, UINT64_MAX);
	ck_assert_uint_ne(omp->wait.since_ns, 0);
	omp_team_close(&team);
	ck_assert_uint_eq(omp->wait.since_ns, 0);
}

static void work(struct omp_thread *omp)
{
	(void)omp;
	fake_work(STEP_NS);
}

static void wait_and_work(struct omp_thread *omp)
{
	struct site site = {.caller = 0x4100, .sp = UINT64_MAX};

	ck_assert_ptr_eq(omp_wait_begin(OMP_CONSTRUCT_BARRIER, &site), omp);
	fake_work(STEP_NS);
	omp_wait_end(omp);
	fake_work(STEP_NS);
}

START_TEST(what_a_member_waits_is_no_work)
{
	struct omp_thread *omp = start();

	run_alone(omp, PLACE, wait_and_work);
	ck_assert_uint_eq(SUM(count), 1);
	ck_assert_uint_eq(SUM(members), 1);
	ck_assert_uint_ge(SUM(wait_ns), STEP_NS * 9 / 10);
	ck_assert_uint_ge(SUM(work_ns), STEP_NS * 9 / 10);
	ck_assert_uint_eq(SUM(work_max_ns), SUM(work_ns));
	ck_assert_uint_eq(SUM(idle_min_ns), SUM(elapsed_ns) - SUM(work_ns));
	expect_law(1);
	ck_assert_uint_eq(
		scratch_sum(TABLE_omp_constructs, 0, offsetof(struct row_omp_constructs, time_ns)),
		SUM(wait_ns));
	ck_assert_uint_eq(omp->row->wait_ns, SUM(wait_ns) + omp->row->outside_ns);
}
END_TEST

static void nest(struct omp_thread *omp)
{
	uint32_t outer = omp->region;

	run_alone(omp, INNER, wait_and_work);
	ck_assert_uint_eq(omp->region, outer);
	fake_work(STEP_NS);
}

/* The kernel begins switch records for the second thread: that is no time of the region. */
START_TEST(what_the_profiler_waits_for_at_its_start_is_left_out)
{
	struct omp_thread *omp = start();
	struct omp_team team;
	struct omp_member member;
	uint64_t from_ns = omp_now_ns(omp);

	ck_assert(omp_team_open(&team, omp, PLACE, 1, SITE_HERE, UINT64_MAX));
	fake_work(STEP_NS);
	process_row->start_wait_ns += STEP_NS;
	omp_member_begin(&member, &team, 0, 1);
	fake_work(STEP_NS);
	omp_member_end(&member, UINT64_MAX);
	omp_team_close(&team);
	ck_assert_uint_le(SUM(elapsed_ns), omp_now_ns(omp) - from_ns - STEP_NS);
	ck_assert_uint_ge(SUM(work_ns), STEP_NS * 9 / 10);
	expect_law(1);
	run_alone(omp, PLACE, work);
	expect_law(1);
}
END_TEST

START_TEST(waits_of_an_inner_region_are_the_outer_ones_too)
{
	struct omp_thread *omp = start();

	run_alone(omp, PLACE, nest);
	ck_assert_uint_eq(omp->region, 0);
	ck_assert_uint_eq(SUM(count), 2);
	expect_law(1);
	/* the barrier was waited at once, and stands in both regions */
	uint64_t barrier_ns =
		scratch_sum(TABLE_omp_constructs, 0, offsetof(struct row_omp_constructs, time_ns));
	ck_assert_uint_ge(SUM(wait_ns), 2 * barrier_ns);
	/* not more often: that would break the law above */
}
END_TEST

/* ---- more threads ---- */

enum { MEMBERS = 12 };
static struct omp_team shared;
static pthread_barrier_t begun, ended;

static void *be_member(void *argument)
{
	uint32_t number = (uint32_t)(uintptr_t)argument;
	struct omp_member member;

	fake_thread(number + 2);
	pthread_barrier_wait(&begun);
	omp_member_begin(&member, &shared, number, MEMBERS);
	fake_work((number + 1) * UINT64_C(20000));
	omp_member_end(&member, UINT64_MAX);
	pthread_barrier_wait(&ended);
	/* it would be idle from here on, until its end */
	ck_assert_ptr_nonnull(thread_self->omp);
	activity_finish(thread_self);
	ck_assert_uint_eq(thread_self->omp_row->since_ns, 0);
	ck_assert_uint_gt(thread_self->omp_row->outside_ns, 0);
	return NULL;
}

static void run_team(struct omp_thread *omp, uint32_t wanted)
{
	pthread_t threads[MEMBERS];
	struct omp_member member;

	pthread_barrier_init(&begun, NULL, MEMBERS);
	pthread_barrier_init(&ended, NULL, MEMBERS);
	ck_assert(omp_team_open(&shared, omp, PLACE, wanted, SITE_HERE, UINT64_MAX));
	for (uintptr_t i = 1; i < MEMBERS; i++)
		pthread_create(&threads[i], NULL, be_member, (void *)i);
	pthread_barrier_wait(&begun);
	omp_member_begin(&member, &shared, 0, MEMBERS);
	fake_work(20000);
	omp_member_end(&member, UINT64_MAX);
	pthread_barrier_wait(&ended);
	omp_team_close(&shared);
	for (int i = 1; i < MEMBERS; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(every_member_of_a_large_team_is_seen)
{
	struct omp_thread *omp = start();

	run_team(omp, MEMBERS);
	ck_assert_uint_eq(SUM(count), 1);
	ck_assert_uint_eq(SUM(members), MEMBERS);
	ck_assert_uint_eq(scratch_sum(TABLE_omp_work, 0, offsetof(struct row_omp_work, count)),
			  MEMBERS);
	ck_assert_uint_ge(SUM(work_max_ns), MEMBERS * UINT64_C(20000));
	ck_assert_uint_ge(SUM(work_ns), MEMBERS * (MEMBERS + 1) / 2 * UINT64_C(20000));
	ck_assert_uint_eq(omp->slots_used, 0);
	expect_law(MEMBERS);
}
END_TEST

START_TEST(members_without_a_place_are_missing_and_not_invented)
{
	struct omp_thread *omp = start();

	run_team(omp, 4); /* the runtime had promised fewer */
	ck_assert_uint_eq(SUM(members), 4);
	expect_law(4);
	ck_assert_uint_eq(scratch_sum(TABLE_omp_work, 0, offsetof(struct row_omp_work, count)),
			  MEMBERS);
}
END_TEST

/* ---- tasks ---- */

static uint64_t task_sum(size_t column)
{
	return scratch_sum(TABLE_omp_tasks, 0, (uint32_t)column);
}

#define TASK_SUM(column) task_sum(offsetof(struct row_omp_tasks, column))

static void run_task(struct omp_thread *omp, uint64_t place, void (*body)(struct omp_thread *),
		     bool is_deferred)
{
	struct omp_task_birth birth;
	struct omp_task task;

	omp_task_make(omp, &birth, place, 2, true);
	omp_task_begin(&task, &birth, is_deferred, true);
	body(omp);
	omp_task_end(&task, true);
}

static void task_in_a_task(struct omp_thread *omp)
{
	fake_work(STEP_NS);
	run_task(omp, 0x7000, work, true);
}

/* A barrier in which the thread is given a task to run. */
static void task_in_a_wait(struct omp_thread *omp)
{
	struct site site = {.caller = 0x4100, .sp = UINT64_MAX};

	ck_assert_ptr_eq(omp_wait_begin(OMP_CONSTRUCT_BARRIER, &site), omp);
	run_task(omp, 0x6000, task_in_a_task, true);
	ck_assert_uint_ne(omp->wait.since_ns, 0);
	omp_wait_end(omp);
}

START_TEST(a_task_interrupts_the_wait_that_runs_it)
{
	struct omp_thread *omp = start();

	run_alone(omp, PLACE, task_in_a_wait);
	expect_law(1);
	ck_assert_uint_eq(TASK_SUM(created), 2);
	ck_assert_uint_eq(TASK_SUM(executed), 2);
	ck_assert_uint_eq(TASK_SUM(dependences), 4);
	ck_assert_uint_eq(TASK_SUM(undeferred), 0);
	ck_assert_uint_ge(TASK_SUM(work_ns), 2 * STEP_NS * UINT64_C(9) / 10);
	/* each task's time is counted once: together they are no longer than the work */
	ck_assert_uint_le(TASK_SUM(work_ns), SUM(work_ns));
	ck_assert_uint_lt(SUM(wait_ns), SUM(work_ns));
}
END_TEST

START_TEST(a_task_after_the_body_is_work_of_the_region)
{
	struct omp_thread *omp = start();
	struct omp_team team;
	struct omp_member member;

	ck_assert(omp_team_open(&team, omp, PLACE, 1, SITE_HERE, UINT64_MAX));
	omp_member_begin(&member, &team, 0, 1);
	omp_member_end(&member, UINT64_MAX);
	run_task(omp, 0x6000, work, false);
	omp_team_close(&team);
	expect_law(1);
	ck_assert_uint_ge(SUM(work_ns), STEP_NS * UINT64_C(9) / 10);
	ck_assert_uint_eq(TASK_SUM(undeferred), 1);
	ck_assert_uint_eq(TASK_SUM(delay_ns), 0);
	ck_assert_uint_ge(scratch_sum(TABLE_omp_work, 0, offsetof(struct row_omp_work, work_ns)),
			  STEP_NS * UINT64_C(9) / 10);
}
END_TEST

UNIT_MAIN("omp_team", what_a_member_waits_is_no_work,
	  what_the_profiler_waits_for_at_its_start_is_left_out,
	  waits_of_an_inner_region_are_the_outer_ones_too, every_member_of_a_large_team_is_seen,
	  members_without_a_place_are_missing_and_not_invented,
	  a_task_interrupts_the_wait_that_runs_it, a_task_after_the_body_is_work_of_the_region)
