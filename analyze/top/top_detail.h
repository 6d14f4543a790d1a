/* SPDX-License-Identifier: MIT */
/* One thread in full, as text. Context: pure but for `out`. */
#pragma once

#include "analyze/live/live_detail.h"
#include "analyze/top/top_frame.h"

/* thread: its row of the frame; NULL: it is not there, since it has ended. lines: that there are.
 */
void top_print_detail(FILE *out, const struct top_view *view, const struct live_frame *frame,
		      const struct live_thread *thread, const struct live_detail *detail,
		      unsigned lines);
