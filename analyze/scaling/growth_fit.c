/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/growth_fit.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A term has to at least halve the constant's error of prediction, and a rarer term that of the
 * common ones; differences below the noise of measurements do not count. If a point is predicted
 * from only two or three others, a wrong form fits by chance more often: then a quarter. */
#define BETTER_FACTOR     0.5
#define BETTER_FACTOR_FEW 0.25
#define NOISE_MIN         0.03
/* Of two terms the one that is later in the table has to be better by this factor. */
#define LATER_FACTOR 0.67
/* Values below this part of the largest one are treated as that: they are nearly nothing. */
#define FLOOR 0.01

struct term {
	int top, bottom; /* of the exponent of p */
	int log;
	bool is_common;
};

/* The default set of Extra-P (its manual: polynomial and logarithmic exponents), simplest first,
 * with those of its negative exponents that occur in strong scaling. */
static const struct term terms[] = {
	{1, 1, 0, true},  {0, 1, 1, true},  {-1, 1, 0, true}, {2, 1, 0, true},   {1, 2, 0, true},
	{1, 1, 1, true},  {3, 1, 0, true},  {-1, 2, 0, true}, {-2, 1, 0, false}, {0, 1, 2, false},
	{1, 4, 0, false}, {1, 3, 0, false}, {1, 4, 1, false}, {1, 3, 1, false},  {1, 4, 2, false},
	{1, 3, 2, false}, {1, 2, 1, false}, {1, 2, 2, false}, {2, 3, 0, false},  {3, 4, 0, false},
	{2, 3, 1, false}, {3, 4, 1, false}, {4, 5, 0, false}, {2, 3, 2, false},  {3, 4, 2, false},
	{1, 1, 2, false}, {5, 4, 0, false}, {5, 4, 1, false}, {4, 3, 0, false},  {4, 3, 1, false},
	{3, 2, 0, false}, {3, 2, 1, false}, {3, 2, 2, false}, {5, 3, 0, false},  {7, 4, 0, false},
	{2, 1, 1, false}, {2, 1, 2, false}, {9, 4, 0, false}, {7, 3, 0, false},  {5, 2, 0, false},
	{5, 2, 1, false}, {5, 2, 2, false}, {8, 3, 0, false}, {11, 4, 0, false}, {3, 1, 1, false},
};
#define TERM_COUNT (sizeof terms / sizeof *terms)

static double term_at(const struct term *term, double p)
{
	return pow(p, (double)term->top / term->bottom) * pow(log2(p), term->log);
}

struct data {
	const struct growth_point *points;
	size_t count;
	double largest, noise;
};

/* ---- least squares with one term: two unknowns, by hand as it is these few lines */

struct line {
	double constant, factor;
	bool is_good; /* the points determine both coefficients, and the term has a positive one */
};

/* 1 / the value to which an error is relative. */
static double weight_of(const struct data *data, size_t index)
{
	return 1 / fmax(fabs(data->points[index].value), FLOOR * data->largest);
}

/* term NULL: the constant. without: index of a point that is left out; data->count: none is. */
static struct line fit_line(const struct data *data, const struct term *term, size_t without)
{
	double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

	for (size_t i = 0; i < data->count; i++) {
		double w = weight_of(data, i) * weight_of(data, i), y = data->points[i].value;
		double x = term ? term_at(term, data->points[i].p) : 0;

		if (i == without)
			continue;
		s += w;
		sx += w * x;
		sy += w * y;
		sxx += w * x * x;
		sxy += w * x * y;
	}
	if (!term)
		return (struct line){sy / s, 0, true};
	double determinant = s * sxx - sx * sx;

	if (!(determinant > 1e-12 * s * sxx))
		return (struct line){0};
	double factor = (s * sxy - sx * sy) / determinant;

	return (struct line){(sy - factor * sx) / s, factor, factor > 0};
}

static double line_at(const struct line *line, const struct term *term, double p)
{
	return line->constant + (term ? line->factor * term_at(term, p) : 0);
}

/* Root mean square of the relative errors with which each point is predicted by the others. */
static double prediction_error(const struct data *data, const struct term *term)
{
	double sum = 0;

	for (size_t i = 0; i < data->count; i++) {
		const struct growth_point *point = &data->points[i];
		struct line line = fit_line(data, term, i);

		if (!line.is_good)
			return INFINITY;
		double error = (line_at(&line, term, point->p) - point->value) * weight_of(data, i);

		sum += error * error;
	}
	return sqrt(sum / (double)data->count);
}

/* ---- the choice */

struct choice {
	const struct term *term; /* NULL: the constant */
	double error;
};

static struct choice best_of(const struct data *data, bool is_common)
{
	struct choice best = {.error = INFINITY};

	for (size_t i = 0; i < TERM_COUNT; i++) {
		if (terms[i].is_common != is_common)
			continue;
		double error = prediction_error(data, &terms[i]);

		if (best.error > data->noise && error < LATER_FACTOR * best.error)
			best = (struct choice){&terms[i], error};
	}
	return best;
}

static bool is_clearly_better(const struct data *data, const struct choice *one,
			      const struct choice *simpler)
{
	double factor = data->count < GROWTH_POINTS_GOOD ? BETTER_FACTOR_FEW : BETTER_FACTOR;

	return one->term && simpler->error > data->noise && one->error < factor * simpler->error;
}

static const struct term *choose(const struct data *data)
{
	struct choice chosen = {NULL, prediction_error(data, NULL)};
	struct choice common = best_of(data, true);

	if (is_clearly_better(data, &common, &chosen))
		chosen = common;
	if (data->count >= GROWTH_POINTS_GOOD) {
		struct choice rare = best_of(data, false);
		if (is_clearly_better(data, &rare, &chosen))
			chosen = rare;
	}
	return chosen.term;
}

/* ---- how good it is */

static void judge(struct growth_fit *fit, const struct data *data)
{
	double mean = 0, residual = 0, whole = 0, relative = 0;

	for (size_t i = 0; i < data->count; i++)
		mean += data->points[i].value / (double)data->count;
	for (size_t i = 0; i < data->count; i++) {
		double value = data->points[i].value, at = growth_fit_at(fit, data->points[i].p);
		double size = fmax((fabs(at) + fabs(value)) / 2, FLOOR * data->largest);

		residual += (at - value) * (at - value);
		whole += (value - mean) * (value - mean);
		relative += size > 0 ? fabs(at - value) / size : 0;
	}
	fit->r_squared = whole > 0 && fit->factor > 0 ? 1 - residual / whole : NAN;
	fit->error_percent = 100 * relative / (double)data->count;
	fit->is_known = fit->error_percent <= GROWTH_ERROR_MAX;
}

static struct data data_of(const struct growth_point *points, size_t count, double noise)
{
	struct data data = {points, count, 0, fmax(NOISE_MIN, noise)};

	for (size_t i = 0; i < count; i++)
		data.largest = fmax(data.largest, fabs(points[i].value));
	return data;
}

static bool are_fit(const struct growth_point *points, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(points[i].value) || !(points[i].p >= 1) || !isfinite(points[i].p))
			return false;
	return count >= GROWTH_POINTS_MIN;
}

struct growth_fit growth_fit_of(const struct growth_point *points, size_t count, double noise)
{
	struct growth_fit fit = {.exponent_bottom = 1, .r_squared = NAN, .error_percent = NAN};
	struct data data = data_of(points, count, noise);

	if (!are_fit(points, count))
		return fit;
	fit.is_known = true;
	if (data.largest > 0) {
		const struct term *term = choose(&data);
		struct line line = fit_line(&data, term, count);

		fit.constant = line.constant;
		fit.factor = term ? line.factor : 0;
		if (term) {
			fit.exponent_top = term->top;
			fit.exponent_bottom = term->bottom;
			fit.exponent = (double)term->top / term->bottom;
			fit.log_exponent = term->log;
		}
	}
	judge(&fit, &data);
	return fit;
}

double growth_fit_at(const struct growth_fit *fit, double p)
{
	if (!fit->is_known)
		return NAN;
	if (!(fit->factor > 0))
		return fit->constant;
	return fit->constant +
	       fit->factor * pow(p, fit->exponent) * pow(log2(p), fit->log_exponent);
}

/* ---- in words */

static char *power_text(const struct growth_fit *fit)
{
	int top = abs(fit->exponent_top);

	if (!top)
		return memory_copy_text("");
	if (fit->exponent_bottom != 1)
		return memory_print("p^(%d/%d)", top, fit->exponent_bottom);
	return top == 1 ? memory_copy_text("p") : memory_print("p^%d", top);
}

char *growth_fit_term(const struct growth_fit *fit)
{
	if (!fit->is_known)
		return memory_copy_text("?");
	if (!(fit->factor > 0))
		return memory_copy_text("constant");
	static const char *const logs[] = {"", "log2(p)", "log2(p)^2"};
	const char *log = logs[fit->log_exponent];
	char *power = power_text(fit), *text;

	if (fit->exponent_top < 0)
		text = memory_print("1 / %s", power);
	else
		text = memory_print("%s%s%s", power, *power && *log ? " " : "", log);
	free(power);
	return text;
}

char *growth_fit_text(const struct growth_fit *fit)
{
	char *term = growth_fit_term(fit);

	if (!fit->is_known)
		return term;
	char *constant = text_seconds(fabs(fit->constant)), *text;
	const char *sign = fit->constant < 0 ? "-" : "";

	if (!(fit->factor > 0)) {
		text = memory_print("%s%s", sign, constant);
	} else {
		char *factor = text_seconds(fit->factor);

		/* "1 / p" is "12 ms / p" */
		text = memory_print("%s%s + %s %s", sign, constant, factor,
				    term + (fit->exponent_top < 0 ? strlen("1 ") : 0));
		free(factor);
	}
	free(constant);
	free(term);
	return text;
}
