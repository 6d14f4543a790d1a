/* SPDX-License-Identifier: MIT */
/* The arithmetic of ptrace-diff --scaling on runs of up to 64 threads, which are constructed and
 * not executed. */
#include "analyze/base/memory.h"
#include "analyze/scaling/scaling_compute.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_words.h"
#include "tests/unit/unit.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND   1e9
#define POINTS   7 /* 1, 2, 4, ... 64 */
#define RUNS_MAX 32
#define MANY     1000

static void add_cost(struct scaling_run *run, enum cost_kind kind, const char *key, double ns)
{
	struct scaling_costs *costs = &run->costs;

	costs->rows = memory_grow(costs->rows, costs->count, &costs->capacity, sizeof *costs->rows);
	costs->rows[costs->count++] = (struct scaling_cost){
		kind, memory_copy_text(key), memory_copy_text("insert (x.c:40)"), ns, 0};
}

/* What the others leave of p T; rows in the order of scaling_cost_compare. */
static void close_costs(struct scaling_run *run)
{
	double rest_ns = run->scale.p * run->elapsed_ns;

	for (size_t i = 0; i < run->costs.count; i++)
		rest_ns -= run->costs.rows[i].time_ns;
	add_cost(run, COST_REST, "", rest_ns);
}

static struct scaling_run run_of(double p, double elapsed_ns)
{
	return (struct scaling_run){
		.directory = memory_print("run.%g", p),
		.program = memory_copy_text("words"),
		.scale = {.kind = SCALE_THREADS, .p = p},
		.elapsed_ns = elapsed_ns,
		.useful_ns = SECOND,
		.parallel = SECOND / (p * elapsed_ns),
		.sequential_ns = NAN,
		.is_complete = true,
		.counters = {NAN, NAN},
	};
}

static struct scaling of_law(double (*law)(double p), size_t count, bool is_weak)
{
	struct scaling_run *runs = memory_allocate(count, sizeof *runs);

	/* from the largest to the smallest: their order must not matter */
	for (size_t i = 0; i < count; i++) {
		double p = (double)(1u << (count - 1 - i));

		runs[i] = run_of(p, law(p));
		add_cost(&runs[i], COST_ROUTINE, "compute (words)", SECOND * (is_weak ? p : 1));
		close_costs(&runs[i]);
	}
	return scaling_of(runs, count, is_weak);
}

/* ---- laws */

static double ideal(double p)
{
	return SECOND / p;
}

static double amdahl(double p)
{
	return SECOND * (0.1 + 0.9 / p);
}

static double flat(double p)
{
	(void)p;
	return SECOND;
}

static double growing(double p)
{
	return SECOND * (1 + 0.05 * (p - 1));
}

START_TEST(ideal_scaling_loses_nothing)
{
	struct scaling it = of_law(ideal, POINTS, false);

	ck_assert_uint_eq(it.count, POINTS);
	for (size_t i = 0; i < it.count; i++) {
		ck_assert_double_eq_tol(it.points[i].speedup, it.points[i].p, 1e-9);
		ck_assert_double_eq_tol(it.points[i].efficiency, 1, 1e-9);
		ck_assert_double_eq_tol(it.points[i].lost_ns, 0, 1e-3);
	}
	ck_assert_int_eq(it.end, SCALING_HOLDS);
	ck_assert_uint_eq(it.end_cause, it.cause_count);
	ck_assert_double_eq_tol(it.amdahl.serial, 0, 1e-9);
	char *text = scaling_verdict_text(&it), *growth = growth_fit_term(&it.growth);

	ck_assert_str_eq(text, "scales to 64 threads (efficiency 100 %)");
	ck_assert_str_eq(growth, "1 / p");
	free(text);
	free(growth);
	scaling_clear(&it);
}
END_TEST

START_TEST(a_serial_share_is_found_again)
{
	struct scaling it = of_law(amdahl, POINTS, false);

	ck_assert_double_eq_tol(it.amdahl.serial, 0.1, 1e-9);
	ck_assert_double_eq_tol(it.amdahl.limit, 10, 1e-6);
	ck_assert_double_eq_tol(it.amdahl.single_ns, SECOND, 1);
	ck_assert_double_eq_tol(it.amdahl.error_percent, 0, 1e-6);
	ck_assert(isnan(it.points[0].serial));
	for (size_t i = 1; i < it.count; i++)
		ck_assert_double_eq_tol(it.points[i].serial, 0.1, 1e-9); /* Karp and Flatt */
	ck_assert_int_eq(it.end, SCALING_STOPS);
	ck_assert_double_eq(it.points[it.end_point].p, 64);
	scaling_clear(&it);
}
END_TEST

START_TEST(amdahl_stays_between_0_and_1)
{
	struct scaling worse = of_law(growing, POINTS, false);

	ck_assert_double_eq_tol(worse.amdahl.serial, 1, 1e-9);
	ck_assert_double_eq_tol(worse.amdahl.limit, 1, 1e-9);
	ck_assert_int_eq(worse.end, SCALING_STOPS);
	ck_assert_double_eq(worse.points[worse.end_point].p, 2);
	scaling_clear(&worse);
}
END_TEST

static double slow(double p)
{
	return SECOND / pow(p, 0.6);
}

/* Below 80 % from 2 threads on, though every doubling makes it 1.5 times faster. */
START_TEST(losing_efficiency_is_not_the_end)
{
	struct scaling it = of_law(slow, POINTS, false);
	char *text = scaling_verdict_text(&it);

	ck_assert_int_eq(it.end, SCALING_LOSES);
	ck_assert_msg(!strncmp(text, "loses efficiency from 2 threads on (76 %)", 41), "%s", text);
	for (size_t i = 1; i < it.count; i++)
		ck_assert_double_eq_tol(it.points[i].step_gain, pow(2, 0.6), 1e-9);
	free(text);
	scaling_clear(&it);
}
END_TEST

START_TEST(weak_scaling_expects_equal_times)
{
	struct scaling good = of_law(flat, POINTS, true), bad = of_law(growing, POINTS, true);

	for (size_t i = 0; i < good.count; i++) {
		ck_assert_double_eq_tol(good.points[i].efficiency, 1, 1e-9);
		ck_assert_double_eq_tol(good.points[i].speedup, good.points[i].p, 1e-9);
		ck_assert_double_eq_tol(good.points[i].lost_ns, 0, 1e-3);
	}
	ck_assert_double_eq_tol(good.points[POINTS - 1].serial, 0, 1e-9);
	ck_assert(isnan(good.amdahl.serial));
	ck_assert_double_eq_tol(bad.points[POINTS - 1].efficiency, 1 / (1 + 0.05 * 63), 1e-9);
	ck_assert_double_eq_tol(bad.points[POINTS - 1].lost_ns, 64 * SECOND * 0.05 * 63, 1);
	scaling_clear(&good);
	scaling_clear(&bad);
}
END_TEST

START_TEST(the_reference_need_not_be_1)
{
	struct scaling_run *runs = memory_allocate(2, sizeof *runs);

	runs[0] = run_of(12, SECOND / 2);
	runs[1] = run_of(4, SECOND);
	for (size_t i = 0; i < 2; i++)
		close_costs(&runs[i]);
	struct scaling it = scaling_of(runs, 2, false);

	ck_assert_double_eq_tol(it.points[1].speedup, 2, 1e-9);
	ck_assert_double_eq_tol(it.points[1].efficiency, 2.0 / 3, 1e-9);
	ck_assert_double_eq_tol(it.points[1].serial, (1.0 / 2 - 1.0 / 3) / (1 - 1.0 / 3), 1e-9);
	ck_assert(!it.growth.is_known);
	scaling_clear(&it);
}
END_TEST

START_TEST(the_median_run_stands_for_its_scale)
{
	static const double seconds[] = {1.4, 1.0, 1.1, 0.7, 0.6};
	struct scaling_run *runs = memory_allocate(5, sizeof *runs);

	for (size_t i = 0; i < 5; i++) {
		runs[i] = run_of(i < 3 ? 1 : 2, seconds[i] * SECOND);
		close_costs(&runs[i]);
	}
	struct scaling it = scaling_of(runs, 5, false);

	ck_assert_uint_eq(it.count, 2);
	ck_assert_uint_eq(it.points[0].count, 3);
	ck_assert_double_eq_tol(scaling_median(&it, 0)->elapsed_ns, 1.1 * SECOND, 1);
	ck_assert_double_eq_tol(scaling_median(&it, 1)->elapsed_ns, 0.6 * SECOND, 1);
	scaling_clear(&it);
}
END_TEST

/* ---- losses */

/* compute stays, waiting for the lock is 0.02 p (p - 1) s, serial time is (p - 1) 0.05 s. */
static struct scaling of_lock(size_t count)
{
	struct scaling_run *runs = memory_allocate(count, sizeof *runs);

	for (size_t i = 0; i < count; i++) {
		double p = (double)(1u << i), wait = 0.02 * SECOND * p * (p - 1);
		double serial = 0.05 * SECOND * (p - 1);

		runs[i] = run_of(p, (SECOND + wait + serial) / p);
		add_cost(&runs[i], COST_ROUTINE, "compute (words)", 0.999 * SECOND);
		if (wait > 0)
			add_cost(&runs[i], COST_WAIT, "mutex table_lock", wait);
		add_cost(&runs[i], COST_SERIAL, "", serial);
		close_costs(&runs[i]);
	}
	return scaling_of(runs, count, false);
}

START_TEST(the_lock_that_ends_scaling_is_named)
{
	struct scaling it = of_lock(POINTS);
	char *text = scaling_verdict_text(&it);

	ck_assert_int_eq(it.end, SCALING_STOPS);
	ck_assert_msg(strstr(text, "stops scaling at 8 threads (efficiency 40 %): 76 % of the lost "
				   "time is waiting for mutex table_lock, held by insert (x.c:40)"),
		      "%s", text);
	ck_assert_str_eq(it.causes[0].key, "mutex table_lock");
	char *growth = growth_fit_term(&it.causes[0].growth);

	ck_assert_str_eq(growth, "p^2");
	free(growth);
	free(text);
	scaling_clear(&it);
}
END_TEST

START_TEST(causes_sum_to_what_is_lost)
{
	struct scaling it = of_lock(POINTS);

	for (size_t i = 0; i < it.count; i++) {
		double lost = 0, time = 0;

		for (size_t j = 0; j < it.cause_count; j++) {
			lost += it.causes[j].lost_ns[i];
			time += it.causes[j].time_ns[i];
		}
		ck_assert_double_eq_tol(lost, it.points[i].lost_ns, 1);
		ck_assert_double_eq_tol(time, it.points[i].p * scaling_median(&it, i)->elapsed_ns,
					1);
	}
	ck_assert_int_eq(it.causes[it.cause_count - 1].kind, COST_REST);
	scaling_clear(&it);
}
END_TEST

/* ---- what is printed */

static char *text_of(const struct scaling *it, unsigned width, size_t top)
{
	char *text = NULL;
	size_t bytes;
	struct scaling_page page = {.width = width, .top = top};

	page.out = open_memstream(&text, &bytes);
	scaling_print_text(&page, it);
	fclose(page.out);
	return text;
}

START_TEST(the_text_keeps_its_bounds)
{
	struct scaling_run *runs = memory_allocate(2, sizeof *runs);

	for (size_t i = 0; i < 2; i++) {
		runs[i] = run_of(1 + (double)i, SECOND);
		for (size_t j = 0; j < MANY; j++) {
			char *key = memory_print("routine_%zu_with_a_name_that_is_long (words)", j);
			add_cost(&runs[i], COST_ROUTINE, key, 1e5 * (double)(i + 1) * (double)j);
			free(key);
		}
		close_costs(&runs[i]);
	}
	struct scaling it = scaling_of(runs, 2, false);
	char *text = text_of(&it, 100, 10);
	size_t lines = 0;

	for (char *at = text, *end; *at; at = end + 1, lines++) {
		end = strchr(at, '\n');
		ck_assert_msg(end - at <= 100, "%.*s", (int)(end - at), at);
	}
	ck_assert_uint_le(lines, 100);
	/* both have the same 1000 routines: the row of 0 s is none */
	ck_assert_msg(strstr(text, "[989 others]"), "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "[rest]"));
	ck_assert_ptr_nonnull(strstr(text, "unknown: the runs did not count"));
	free(text);
	scaling_clear(&it);
}
END_TEST

START_TEST(many_threads_and_runs_fit_in_a_line)
{
	struct scaling_run *runs = memory_allocate(4, sizeof *runs);

	for (size_t i = 0; i < 4; i++) {
		runs[i] = run_of(i < 2 ? 1 : 12288, SECOND * (double)(1000 + i));
		runs[i].sequential_ns = 123 * SECOND;
		runs[i].sequential_grade = GRADE_ESTIMATED;
		close_costs(&runs[i]);
	}
	struct scaling it = scaling_of(runs, 4, false);
	char *text = text_of(&it, 100, 10), *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ck_assert_msg(strlen(line) <= 100, "%s", line);
	free(text);
	scaling_clear(&it);
}
END_TEST

static double number_of(struct json_object *object, const char *key)
{
	return json_object_get_double(json_object_object_get(object, key));
}

START_TEST(json_has_all_causes_and_null_for_the_unknown)
{
	struct scaling it = of_lock(2);
	struct json_object *root = scaling_json(&it), *value;
	struct json_object *causes = json_object_object_get(root, "causes");
	double share = 0;

	ck_assert_str_eq(json_object_get_string(json_object_object_get(root, "format")),
			 "ptrace-scaling");
	ck_assert_int_eq(json_object_get_int(json_object_object_get(root, "version")), 1);
	ck_assert(json_object_object_get_ex(root, "instruction_scaling", &value) && !value);
	ck_assert(json_object_object_get_ex(root, "growth", &value) && !value);
	for (size_t i = 0; i < json_object_array_length(causes); i++)
		share += number_of(json_object_array_get_idx(causes, i), "share");
	ck_assert_double_eq_tol(share, 1, 1e-6);
	json_object_put(root);
	scaling_clear(&it);
}
END_TEST

/* Strong scaling: a tenth more instructions, at half the rate. */
START_TEST(counters_scale_as_pop_defines_it)
{
	struct scaling_run *runs = memory_allocate(2, sizeof *runs);

	for (size_t i = 0; i < 2; i++) {
		runs[i] = run_of(1 + (double)i, SECOND);
		runs[i].counters = (struct scaling_counters){i ? 1100 : 1000, i ? 1100 : 500};
		close_costs(&runs[i]);
	}
	struct scaling it = scaling_of(runs, 2, false);
	char *text = text_of(&it, 200, 0);

	ck_assert_double_eq_tol(it.instruction_scaling, 1000. / 1100, 1e-9);
	ck_assert_double_eq_tol(it.ipc_scaling, 0.5, 1e-9);
	ck_assert_ptr_nonnull(strstr(text, "instruction scaling 91 %, IPC scaling 50 %"));
	free(text);
	scaling_clear(&it);
}
END_TEST

START_TEST(notes_say_what_is_missing)
{
	struct scaling_run *runs = memory_allocate(2, sizeof *runs);

	for (size_t i = 0; i < 2; i++) {
		runs[i] = run_of(1 + 7 * (double)i, SECOND);
		runs[i].is_complete = !i;
		runs[i].processors = 2;
		runs[i].ready_ns = SECOND * (i ? 7 : 0.4);
		close_costs(&runs[i]);
	}
	struct scaling it = scaling_of(runs, 2, false);
	char *text = text_of(&it, 200, 0);

	ck_assert_ptr_nonnull(strstr(text, "run.8 is incomplete"));
	ck_assert_ptr_nonnull(
		strstr(text, "from 8 threads on there are more than the 2 processors"));
	ck_assert_ptr_nonnull(strstr(text, "no growth is fitted"));
	ck_assert_ptr_nonnull(strstr(text, "with 1 thread, a processor was lacking for 40 %"));
	free(text);
	scaling_clear(&it);
}
END_TEST

UNIT_MAIN("scaling", ideal_scaling_loses_nothing, a_serial_share_is_found_again,
	  amdahl_stays_between_0_and_1, losing_efficiency_is_not_the_end,
	  weak_scaling_expects_equal_times, the_reference_need_not_be_1,
	  the_median_run_stands_for_its_scale, the_lock_that_ends_scaling_is_named,
	  causes_sum_to_what_is_lost, the_text_keeps_its_bounds,
	  many_threads_and_runs_fit_in_a_line, json_has_all_causes_and_null_for_the_unknown,
	  counters_scale_as_pop_defines_it, notes_say_what_is_missing)
