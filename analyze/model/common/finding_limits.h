/* SPDX-License-Identifier: MIT */
/* The figures of finding_limits.def: times in nanoseconds, percentages as shares of 1, sizes in
 * bytes. Context: constant. */
#pragma once

struct finding_limits {
#define LIMIT(name, number, unit, what, reason) double name;
#include "analyze/model/common/finding_limits.def"
#undef LIMIT
};

extern const struct finding_limits finding_limits;
