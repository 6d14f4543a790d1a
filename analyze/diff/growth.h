/* SPDX-License-Identifier: MIT */
/* Has all work changed by one factor: more data, or a slower processor?
 *
 * It is more, or less, of the same work if at least half of the counts of calls and bytes have
 * changed by one factor, to 5 %, and routines with nine tenths of the sampled CPU time have roughly
 * followed, to 40 % and two sampling errors. Counts are exact, so they determine the factor. If
 * counts are the same, or there are none, all work takes longer if those routines have changed by
 * the factor of the CPU time, to 15 % and two sampling errors. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

enum growth_kind {
	GROWTH_NONE,
	GROWTH_OF_WORK,  /* times and counts */
	GROWTH_OF_TIMES, /* counts are the same, or there are none: everything took longer, or less
			    long */
};

struct growth {
	enum growth_kind kind;
	double factor;
	double cpu_factor;
};

struct growth growth_of(const struct changes *changes);
/* The factor of those amounts that are large enough to have one: the median, if at least half of
 * them have it, to 5 %. NAN: there is none. */
double growth_factor_of_amounts(const struct changes *changes);
/* Is it an amount that has changed by the factor, to 5 %? */
bool growth_is_by_factor(const struct change *change, double factor);
