/* SPDX-License-Identifier: MIT */
/* What a lifetime went on, as the parts of a bar: user, system, ready, and blocked by cause.
 * Context: pure but for `out`. */
#pragma once

#include "analyze/html/html_bars.h"

struct thread_time;

/* Into the current lane, whose full width is `most` of html_bars_lane. name: begins each title. */
void html_states_parts(struct html_bars *bars, const struct thread_time *time, const char *name);
/* Ends the plot, with a legend of the states that were drawn. */
void html_states_end(struct html_bars *bars);
