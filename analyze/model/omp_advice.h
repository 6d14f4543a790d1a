/* SPDX-License-Identifier: MIT */
/* What to change in an OpenMP region: the one thing that costs most of what is lost there. The
 * rules are a table in omp_advice.c, with their thresholds and reasons. Context: pure. */
#pragma once

struct omp_region;

/* NULL: nothing is above its threshold. */
const char *omp_advice_for(const struct omp_region *region);
