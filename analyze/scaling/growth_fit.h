/* SPDX-License-Identifier: MIT */
/* How a figure grows with the scale p of a run: the term of Extra-P's performance model normal form
 * that describes its measurements best (Calotoiu, Hoefler, Poke and Wolf, "Using automated
 * performance modeling to find scalability bugs in complex codes", SC 2013), with one term:
 *
 *   f(p) = c0 + c1 p^a log2(p)^b      c1 > 0, or c1 = 0: constant
 *
 * a and b are from the set that Extra-P searches by default, plus three negative powers.
 * Coefficients are fitted by least squares of relative errors, as the noise of times is
 * proportional to them; terms are compared by how well they predict a measurement that was left out
 * (cross-validation). A simpler term is preferred: the constant unless a term predicts clearly
 * better, a common term (p, log p, 1/p, ...) unless a rarer one is clearly better, and with fewer
 * than GROWTH_POINTS_GOOD points no rarer one at all. If not even the constant comes within
 * GROWTH_ERROR_MAX of the points, no form is given. Context: pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define GROWTH_POINTS_MIN  3  /* different p: fewer do not determine a form */
#define GROWTH_POINTS_GOOD 5  /* what Extra-P asks for */
#define GROWTH_ERROR_MAX   15 /* percent */

struct growth_point {
	double p, value;
};

struct growth_fit {
	bool is_known;
	double constant, factor;           /* c0, c1 */
	double exponent;                   /* a */
	int exponent_top, exponent_bottom; /* the same as a fraction */
	int log_exponent;                  /* b */
	double r_squared;                  /* of the points; 1: exact; NAN: a constant */
	double error_percent; /* symmetric mean of |f - value| / value in percent (SMAPE) */
};

/* points: of different p >= 1, in any order. noise: relative error of the values, as far as it is
 * known; never taken to be less than 3 %. */
struct growth_fit growth_fit_of(const struct growth_point *points, size_t count, double noise);
double growth_fit_at(const struct growth_fit *fit, double p);

/* "p^(3/2) log2(p)", "1 / p", "constant", "?"; released by the caller. */
char *growth_fit_term(const struct growth_fit *fit);
/* "12.0 ms + 3.10 ms p^2", times in ns; "?" if unknown; released by the caller. */
char *growth_fit_text(const struct growth_fit *fit);
