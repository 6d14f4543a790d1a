/* SPDX-License-Identifier: MIT */
/* Whether all work has changed by one factor: more data, or a slower processor.
 *
 * The factor is that of the CPU time. All work has it if routines that hold nine tenths of the CPU
 * time have changed by it, to 15 % and two sampling errors; and if so, the work is more (or less)
 * of the same where calls and bytes have changed by it, too. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

enum growth_kind {
	GROWTH_NONE,
	GROWTH_OF_WORK,  /* times and counts */
	GROWTH_OF_TIMES, /* counts are the same: everything took longer, or less long */
};

struct growth {
	enum growth_kind kind;
	double factor;
};

struct growth growth_of(const struct changes *changes);
