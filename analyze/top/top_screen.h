/* SPDX-License-Identifier: MIT */
/* Frames on a terminal that can be written to anywhere, with keys. top_screen.c has it with
 * ncurses, top_plain.c stands where ncurses is missing: make chooses.
 *
 * Context: main thread. The terminal is as before when top_screen_run returns, and while the
 * program is stopped. */
#pragma once

#include "analyze/live/live.h"
#include "analyze/top/top_options.h"

/* Can this terminal show it? */
bool top_screen_is_possible(void);
/* Until the user quits. */
void top_screen_run(struct live *live, const struct top_options *options);
