/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/finding_limits.h"

#define IN_PERCENT 1e-2
#define IN_NS      1.0
#define IN_US      1e3
#define IN_MS      1e6
#define IN_KIB     1024.0
#define IN_COUNT   1.0

const struct finding_limits finding_limits = {
#define LIMIT(name, number, unit, what, reason) .name = (number)*IN_##unit,
#include "analyze/model/common/finding_limits.def"
#undef LIMIT
};
