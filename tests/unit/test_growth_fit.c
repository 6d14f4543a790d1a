/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/growth_fit.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 7

struct law {
	const char *term;
	double constant, factor, exponent, log;
};

static const struct law laws[] = {
	{"constant", 5e9, 0, 0, 0},  {"p", 1e9, 3e9, 1, 0},           {"p^2", 1e9, 2e8, 2, 0},
	{"p^(1/2)", 0, 4e9, 0.5, 0}, {"p log2(p)", 2e9, 1e9, 1, 1},   {"log2(p)", 1e9, 2e9, 0, 1},
	{"1 / p", 2e8, 8e9, -1, 0},  {"p^3", 1e8, 1e7, 3, 0},         {"p^(3/2)", 1e9, 5e8, 1.5, 0},
	{"p", -1e9, 1e9, 1, 0},      {"p^2 log2(p)", 1e8, 1e8, 2, 1},
};

/* 1, 2, 4, ..., 64; noise: relative, of a fixed sequence so that a failure can be repeated. */
static void measure(struct growth_point *points, size_t count, const struct law *law, double noise)
{
	for (size_t i = 0; i < count; i++) {
		double p = (double)(1u << i);
		double sign = 2.0 * (double)random() / (double)RAND_MAX - 1;

		points[i].p = p;
		points[i].value = (law->constant +
				   law->factor * pow(p, law->exponent) * pow(log2(p), law->log)) *
				  (1 + noise * sign);
	}
}

static void check(const struct law *law, double noise)
{
	struct growth_point points[POINTS];
	struct growth_fit fit;

	measure(points, POINTS, law, noise);
	fit = growth_fit_of(points, POINTS, 0);
	char *term = growth_fit_term(&fit);

	ck_assert_msg(fit.is_known, "%s is not known", law->term);
	ck_assert_msg(!strcmp(term, law->term), "%s is taken for %s (noise %g)", law->term, term,
		      noise);
	ck_assert_msg(fit.error_percent <= 100 * noise + 1e-6, "%s: error %g %%", law->term,
		      fit.error_percent);
	if (law->factor > 0)
		ck_assert_msg(fit.r_squared > 0.99, "%s: R2 %g", law->term, fit.r_squared);
	free(term);
}

START_TEST(known_laws_are_found)
{
	for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
		check(&laws[i], 0);
}
END_TEST

/* A hundred times each: the form may be missed now and then, the common ones rarely. */
START_TEST(known_laws_are_found_in_noise)
{
	for (size_t law = 0; law < 8; law++) {
		unsigned right = 0;

		srandom(1);
		for (unsigned i = 0; i < 100; i++) {
			struct growth_point points[POINTS];

			measure(points, POINTS, &laws[law], 0.02);
			struct growth_fit fit = growth_fit_of(points, POINTS, 0);
			char *term = growth_fit_term(&fit);

			right += !strcmp(term, laws[law].term);
			free(term);
		}
		ck_assert_msg(right >= 90, "%s was found in %u of 100", laws[law].term, right);
	}
}
END_TEST

START_TEST(coefficients_are_those_of_the_law)
{
	struct growth_point points[POINTS];

	measure(points, POINTS, &laws[1], 0);
	struct growth_fit fit = growth_fit_of(points, POINTS, 0);

	ck_assert_double_eq_tol(fit.constant, 1e9, 1);
	ck_assert_double_eq_tol(fit.factor, 3e9, 1);
	ck_assert_double_eq_tol(growth_fit_at(&fit, 1024), 1e9 + 3e9 * 1024, 1e3);
}
END_TEST

/* Whatever the number of points: noise has no form. */
START_TEST(noise_around_a_constant_stays_a_constant)
{
	for (size_t count = GROWTH_POINTS_MIN; count <= POINTS; count++) {
		unsigned constant = 0;

		srandom(2);
		for (unsigned i = 0; i < 200; i++) {
			struct growth_point points[POINTS];

			measure(points, count, &laws[0], 0.02);
			struct growth_fit fit = growth_fit_of(points, count, 0);

			constant += !(fit.factor > 0);
		}
		ck_assert_msg(constant >= 196, "%zu points: %u of 200 are constant", count,
			      constant);
	}
}
END_TEST

START_TEST(few_points_get_a_simple_term)
{
	struct growth_point points[] = {{1, 1.0}, {2, 2.31}, {4, 5.6}, {8, 13.9}};
	struct growth_fit fit = growth_fit_of(points, 4, 0);

	ck_assert(fit.is_known);
	ck_assert_int_eq(fit.exponent_bottom, 1);
}
END_TEST

START_TEST(two_points_have_no_form)
{
	struct growth_point points[] = {{1, 1.0}, {2, 2.0}};
	struct growth_fit fit = growth_fit_of(points, 2, 0);
	char *text = growth_fit_text(&fit);

	ck_assert(!fit.is_known);
	ck_assert_str_eq(text, "?");
	ck_assert(isnan(growth_fit_at(&fit, 4)));
	free(text);
}
END_TEST

START_TEST(nothing_and_nonsense)
{
	struct growth_point zero[] = {{1, 0}, {2, 0}, {4, 0}};
	struct growth_point unknown[] = {{1, 0}, {2, NAN}, {4, 0}};
	struct growth_point small[] = {{0.5, 1}, {2, 1}, {4, 1}};
	struct growth_fit fit = growth_fit_of(zero, 3, 0);

	ck_assert(fit.is_known);
	ck_assert(fit.constant == 0 && fit.factor == 0);
	ck_assert(!growth_fit_of(unknown, 3, 0).is_known);
	ck_assert(!growth_fit_of(small, 3, 0).is_known);
}
END_TEST

START_TEST(forms_are_read_as_people_write_them)
{
	static const struct {
		struct growth_fit fit;
		const char *text;
	} rows[] = {
		{{true, 2e6, 0, 0, 0, 1, 0, 1, 0}, "2.00 ms"},
		{{true, 2e6, 1e6, 1, 1, 1, 0, 1, 0}, "2.00 ms + 1.00 ms p"},
		{{true, -2e6, 1e6, 1.5, 3, 2, 2, 1, 0}, "-2.00 ms + 1.00 ms p^(3/2) log2(p)^2"},
		{{true, 0, 1e6, -1, -1, 1, 0, 1, 0}, "0 s + 1.00 ms / p"},
		{{true, 0, 1e6, 0, 0, 1, 1, 1, 0}, "0 s + 1.00 ms log2(p)"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = growth_fit_text(&rows[i].fit);

		ck_assert_str_eq(text, rows[i].text);
		free(text);
	}
}
END_TEST

UNIT_MAIN("growth_fit", known_laws_are_found, known_laws_are_found_in_noise,
	  coefficients_are_those_of_the_law, noise_around_a_constant_stays_a_constant,
	  few_points_get_a_simple_term, two_points_have_no_form, nothing_and_nonsense,
	  forms_are_read_as_people_write_them)
