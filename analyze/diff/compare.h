/* SPDX-License-Identifier: MIT */
/* From the figures of both sides to changes, with their verdicts (verdict.h). Context: pure. */
#pragma once

#include "analyze/diff/change.h"

struct changes changes_of(const struct side sides[2], double threshold_percent);
