/* SPDX-License-Identifier: MIT */
/* Where the processor time of a run goes, and its scale: on scenes. */
#include "analyze/scaling/scaling_run.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1e6

static const struct scaling_cost *find(const struct scaling_run *it, enum cost_kind kind,
				       const char *key)
{
	for (size_t i = 0; i < it->costs.count; i++)
		if (it->costs.rows[i].kind == kind && !strcmp(it->costs.rows[i].key, key))
			return &it->costs.rows[i];
	return NULL;
}

static double cost_of(const struct scaling_run *it, enum cost_kind kind, const char *key)
{
	const struct scaling_cost *row = find(it, kind, key);

	ck_assert_msg(row != NULL, "no %s %s", cost_kind_name(kind), key);
	return row->time_ns;
}

static void check_sum(const struct scaling_run *it)
{
	double sum = 0, wanted = it->scale.p * it->elapsed_ns;

	for (size_t i = 0; i < it->costs.count; i++)
		sum += it->costs.rows[i].time_ns;
	ck_assert_msg(fabs(sum - wanted) <= 1e-9 * wanted + 1, "sum %f, p T %f", sum, wanted);
}

/* Every scene has all of its processor time in rows, however absurd its contents. */
START_TEST(costs_are_the_processor_time)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		struct scaling_run it = scaling_run_of(scene_run_of(&scene, scenes[i].name), 0);

		ck_assert_msg(it.scale.p >= 1, "%s: p = %f", scenes[i].name, it.scale.p);
		if (isfinite(it.elapsed_ns))
			check_sum(&it);
		scaling_run_clear(&it);
		scene_run_clear(&scene);
	}
}
END_TEST

/* Two threads of 2 s, of which the second waits half a second for the lock. The first waits 0.7 s
 * for it to end, which is less than half of its life: both count. */
START_TEST(two_workers)
{
	struct scene_run scene;
	struct scaling_run it = scaling_run_of(scene_run_of(&scene, "workers"), 0);

	ck_assert_int_eq(it.scale.kind, SCALE_THREADS);
	ck_assert_double_eq(it.scale.p, 2);
	ck_assert_double_eq_tol(it.elapsed_ns, 2000 * MS, 1);
	ck_assert_double_eq_tol(cost_of(&it, COST_ROUTINE, "serial (program)"), 1000 * MS, 1);
	ck_assert_double_eq_tol(cost_of(&it, COST_ROUTINE, "worker (program)"), 1000 * MS, 1);
	ck_assert_double_eq_tol(cost_of(&it, COST_ROUTINE, "[unsampled]"), 50 * MS, 1);
	ck_assert_double_eq_tol(cost_of(&it, COST_WAIT, "mutex queue_lock"), 500 * MS, 1);
	ck_assert_ptr_nonnull(strstr(find(&it, COST_WAIT, "mutex queue_lock")->place, "holder"));
	ck_assert_double_eq_tol(it.sequential_ns, 1700 * MS, 1);
	check_sum(&it);
	scaling_run_clear(&it);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_given_scale_wins)
{
	struct scene_run scene;
	struct scaling_run it = scaling_run_of(scene_run_of(&scene, "workers"), 8);

	ck_assert_int_eq(it.scale.kind, SCALE_GIVEN);
	ck_assert_double_eq(it.scale.p, 8);
	check_sum(&it);
	scaling_run_clear(&it);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_team_of_openmp)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "team");
	struct scaling_run it = scaling_run_of(run, 0);
	double waits = 0;

	ck_assert_int_eq(it.scale.kind, SCALE_OPENMP);
	ck_assert_double_eq(it.scale.p, 2);
	for (size_t i = 0; i < it.costs.count; i++)
		waits += it.costs.rows[i].kind == COST_REGION ? it.costs.rows[i].time_ns : 0;
	ck_assert_double_gt(waits, 0);
	ck_assert_double_eq_tol(cost_of(&it, COST_SERIAL, ""), run->omp.totals.lost_serial_ns, 1);
	ck_assert_double_eq_tol(it.parallel, run->omp.efficiency.parallel, 1e-12);
	check_sum(&it);
	scaling_run_clear(&it);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(a_rank_of_mpi)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "rank");
	struct scaling_run it = scaling_run_of(run, 0);
	double calls = 0;

	ck_assert_int_eq(it.scale.kind, SCALE_MPI);
	ck_assert_double_eq(it.scale.p, (double)run->mpi.efficiency.units);
	for (size_t i = 0; i < it.costs.count; i++)
		calls += it.costs.rows[i].kind == COST_MPI ? it.costs.rows[i].time_ns : 0;
	ck_assert_double_gt(calls, 0);
	check_sum(&it);
	scaling_run_clear(&it);
	scene_run_clear(&scene);
}
END_TEST

/* Runs of very many threads have no rows of them: the ranks tell the same. */
START_TEST(a_rank_without_rows_of_its_threads)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "rank");
	struct scaling_run whole = scaling_run_of(run, 0);

	process_fold(&run->processes[0]);
	struct scaling_run folded = scaling_run_of(run, 0);

	ck_assert_uint_eq(whole.costs.count, folded.costs.count);
	for (size_t i = 0; i < whole.costs.count; i++)
		ck_assert_msg(fabs(whole.costs.rows[i].time_ns - folded.costs.rows[i].time_ns) < 2,
			      "%s %s: %f and %f", cost_kind_name(whole.costs.rows[i].kind),
			      whole.costs.rows[i].key, whole.costs.rows[i].time_ns,
			      folded.costs.rows[i].time_ns);
	scaling_run_clear(&whole);
	scaling_run_clear(&folded);
	scene_run_clear(&scene);
}
END_TEST

/* ---- lives of threads, as a builder tells them */

struct told {
	uint64_t from_ms, to_ms, join_ms;
};

static const struct told *told_threads;
static size_t told_count;

static void tell(struct builder *builder)
{
	struct row_process process = {.pid = 1000,
				      .processors = 2,
				      .threads_peak = (uint32_t)told_count,
				      .threads_started = (uint32_t)told_count};

	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + SCENE_SECOND;
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	for (size_t i = 0; i < told_count; i++) {
		const struct told *it = &told_threads[i];
		uint64_t life = (it->to_ms - it->from_ms) * 1000000;
		struct row_threads row = {
			.tid = 1000 + (uint32_t)i,
			.lives = 1,
			.birth_ns = SCENE_START + it->from_ms * 1000000,
			.updated_ns = SCENE_START + it->to_ms * 1000000,
			.user_ns = life - it->join_ms * 1000000,
			.ready_known = 1,
			.covered_ns = life,
			.off_ns = it->join_ms * 1000000,
		};

		row.off_by_cause_ns[CAUSE_JOIN] = it->join_ms * 1000000;
		builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
	}
}

static struct scaling_scale scale_of(const struct told *threads, size_t count)
{
	struct scene_run scene;

	told_threads = threads;
	told_count = count;
	struct scaling_scale scale = scaling_scale_of(scene_run_told(&scene, tell, RUN_PATHS));

	scene_run_clear(&scene);
	return scale;
}

START_TEST(who_waits_for_the_end_of_others_does_not_count)
{
	static const struct told joins[] = {{0, 1000, 780}, {200, 1000, 0}, {200, 990, 0}};
	static const struct told works[] = {{0, 1000, 20}, {200, 980, 0}, {200, 990, 0}};

	ck_assert_double_eq(scale_of(joins, 3).p, 2);
	ck_assert_double_eq_tol(scale_of(joins, 3).alone_ns, 200 * MS, 1);
	ck_assert_double_eq(scale_of(works, 3).p, 3);
	ck_assert_double_eq_tol(scale_of(works, 3).alone_ns, 210 * MS, 1);
}
END_TEST

/* Where only sums are left of the threads, as in runs of very many processes. */
START_TEST(sums_of_threads_tell_it_too)
{
	static const struct told joins[] = {{0, 1000, 780}, {200, 1000, 0}, {200, 1000, 0}};
	struct scene_run scene;

	told_threads = joins;
	told_count = 3;
	struct run *run = scene_run_told(&scene, tell, RUN_PATHS);

	process_fold(&run->processes[0]);
	ck_assert_double_eq(scaling_scale_of(run).p, 2);
	ck_assert(isnan(scaling_scale_of(run).alone_ns));
	run->processes[0].sum.by_cause_ns[CAUSE_JOIN] = 100000000;
	ck_assert_double_eq(scaling_scale_of(run).p, 3);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(threads_that_follow_each_other_are_one)
{
	static const struct told chain[] = {
		{0, 1000, 990}, {0, 300, 0}, {300, 600, 0}, {600, 1000, 0}};

	ck_assert_double_eq(scale_of(chain, 4).p, 1);
}
END_TEST

START_TEST(what_lives_for_an_instant_does_not_count)
{
	static const struct told brief[] = {{0, 1000, 0}, {0, 1000, 0}, {500, 505, 0}};
	static const struct told longer[] = {{0, 1000, 0}, {0, 1000, 0}, {500, 515, 0}};

	ck_assert_double_eq(scale_of(brief, 3).p, 2);
	ck_assert_double_eq(scale_of(longer, 3).p, 3);
}
END_TEST

UNIT_MAIN("scaling_costs", costs_are_the_processor_time, two_workers, a_given_scale_wins,
	  a_team_of_openmp, a_rank_of_mpi, a_rank_without_rows_of_its_threads,
	  who_waits_for_the_end_of_others_does_not_count, sums_of_threads_tell_it_too,
	  threads_that_follow_each_other_are_one, what_lives_for_an_instant_does_not_count)
