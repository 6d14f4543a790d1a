/* SPDX-License-Identifier: MIT */
/* What a list of fields makes of a row for a comparison. */
#include "analyze/diff/extract.h"
#include "tests/unit/unit.h"

#include <math.h>

struct thing {
	uint64_t cpu_ns, wait_ns, calls, bytes;
	double fraction, unknown;
};

/* The list, as define_fields.h would read it of a file. */
#define ROW       const struct thing
#define ROW_NAME  thing
#define ROW_LIST  "tests/unit/thing_fields.def"
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

static const struct thing thing = {.cpu_ns = 400, .wait_ns = 30, .calls = 7, .unknown = NAN};

static const struct extract_row of_thing = {
	.like = {.section = SECTION_WAITS, .key = "thing", .shown = "a thing", .error = 9},
	.role = ROLE_CAUSE,
	.scale = {[TIME_OF_THREADS] = {1, 3}, [TIME_CPU] = {1, 2}},
	.samples = 4,
};

static struct figures *figures_of(const struct extract_row *of, const struct thing *row)
{
	struct extract extract = {.figures = figures_create(), .load = {.share = 0.5}};

	extract_fields(&extract, of, &thing_fields, row);
	return extract.figures;
}

static const struct figure *find(const struct figures *figures, const char *metric)
{
	return figures_find(figures, SECTION_WAITS, "thing", metric);
}

START_TEST(a_place_makes_a_figure)
{
	struct figures *figures = figures_of(&of_thing, &thing);
	const struct figure *wait = find(figures, "wait"), *calls = find(figures, "calls");

	ck_assert(wait && calls);
	ck_assert_double_eq(wait->value, 30);
	ck_assert_double_eq(wait->effect_ns, 10);
	ck_assert_double_eq(wait->error, 9);
	ck_assert_int_eq(wait->unit, UNIT_NS);
	ck_assert_int_eq(wait->sense, SENSE_LESS);
	ck_assert_int_eq(wait->role, ROLE_CAUSE);
	ck_assert_str_eq(wait->shown, "a thing");
	ck_assert_int_eq(calls->unit, UNIT_COUNT);
	ck_assert_int_eq(calls->role, ROLE_EXPLAINS);
	ck_assert_double_eq(calls->error, 0);
	ck_assert_double_nan(calls->effect_ns);
	ck_assert(calls->is_further);
	ck_assert_ptr_null(find(figures, "not compared"));
	figures_destroy(figures);
}
END_TEST

START_TEST(cpu_time_is_sampled)
{
	struct figures *figures = figures_of(&of_thing, &thing);
	const struct figure *cpu = find(figures, "self");

	ck_assert_double_eq(cpu->effect_ns, 200);
	ck_assert_double_eq(cpu->error, 200);
	ck_assert_double_eq(cpu->disturbance, 200);
	ck_assert_int_eq(cpu->grade, GRADE_SAMPLED);
	ck_assert(cpu->is_cpu);
	figures_destroy(figures);
}
END_TEST

/* Nothing is compared with what is unknown; what is not there is 0. */
START_TEST(unknown_is_not_none)
{
	struct figures *figures = figures_of(&of_thing, &thing);

	ck_assert_ptr_null(find(figures, "bytes"));
	ck_assert_double_nan(find(figures, "unknown")->value);
	figures_destroy(figures);
}
END_TEST

START_TEST(sparse_rows_leave_out_zeros)
{
	struct extract_row sparse = of_thing;
	struct thing idle = {.wait_ns = 30};

	sparse.is_sparse = true;
	struct figures *figures = figures_of(&sparse, &idle);

	ck_assert_ptr_null(find(figures, "self"));
	ck_assert_ptr_nonnull(find(figures, "wait"));
	figures_destroy(figures);
}
END_TEST

/* Without a key, each figure is one of its own. */
START_TEST(fractions_are_percent)
{
	const struct extract_row of = {.like = {.section = SECTION_OVERVIEW, .metric = "percent"}};
	struct thing known = {.fraction = 0.25}, unknown = {.fraction = NAN};
	struct figures *figures = figures_of(&of, &known), *none = figures_of(&of, &unknown);
	const struct figure *balance =
		figures_find(figures, SECTION_OVERVIEW, "balance", "percent");

	ck_assert_double_eq(balance->value, 25);
	ck_assert_int_eq(balance->unit, UNIT_PERCENT);
	ck_assert_int_eq(balance->sense, SENSE_MORE);
	ck_assert_ptr_null(figures_find(none, SECTION_OVERVIEW, "balance", "percent"));
	figures_destroy(figures);
	figures_destroy(none);
}
END_TEST

UNIT_MAIN("figures of lists of fields", a_place_makes_a_figure, cpu_time_is_sampled,
	  unknown_is_not_none, sparse_rows_leave_out_zeros, fractions_are_percent)
