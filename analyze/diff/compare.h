/* SPDX-License-Identifier: MIT */
/* From the figures of both sides to changes, with their verdicts (verdict.h). Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* metrics: those that may decide (metrics.h). Figures of both sides are matched by their names, in
 * which sockets lose ports that only one side has (socket_keys.h). */
struct changes changes_of_metrics(struct side sides[2], double threshold_percent, unsigned metrics);
/* The same with METRICS_DEFAULT. */
struct changes changes_of(struct side sides[2], double threshold_percent);
