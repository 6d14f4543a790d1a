/* SPDX-License-Identifier: MIT */
/* Whether all work has changed by one factor: more data, or a slower processor.
 *
 * All work has the factor of the CPU time if routines that hold nine tenths of it have changed by
 * it, to 15 % and two sampling errors. It is more, or less, of the same work where calls and bytes
 * have changed by one factor, too, which is then the factor: counts are exact. Context: pure.
 */
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
};

struct growth growth_of(const struct changes *changes);
