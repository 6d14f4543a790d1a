/* SPDX-License-Identifier: MIT */
/* From the figures of both sides to changes, with their verdicts (verdict.h). Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* metrics: those that may decide (metrics.h). */
struct changes changes_of_metrics(const struct side sides[2], double threshold_percent,
				  unsigned metrics);
/* The same with METRICS_DEFAULT. */
struct changes changes_of(const struct side sides[2], double threshold_percent);
