/* SPDX-License-Identifier: MIT */
/* The plot of the section threads: each one at its place on the axis of the run's elapsed time, and
 * beside it what its lifetime went on, as shares. Context: pure but for `out`. */
#pragma once

#include "analyze/model/run/thread_lines.h"
#include "analyze/report/report.h"

void html_lifetimes(const struct report *report, const struct thread_lines *lines);
