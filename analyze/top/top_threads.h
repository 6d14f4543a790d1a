/* SPDX-License-Identifier: MIT */
/* The rows of threads in the order that is asked for. Context: pure. */
#pragma once

#include "analyze/top/top_frame.h"

/* Those that pass the filter; released by the caller. */
const struct live_thread **top_threads_of(const struct top_view *view,
					  const struct live_frame *frame, size_t *count);
void top_print_threads(FILE *out, const struct top_view *view, const struct live_frame *frame);
/* Does a row with these texts pass? NULL ones are skipped. */
bool top_passes(const struct top_view *view, const char *const *texts, size_t count);
/* "and N more", if there are. above: of them those that stand above the first row. */
void top_print_more(FILE *out, size_t count, size_t shown, size_t above);
/* Where a table begins on the page. */
void top_mark_table(FILE *out, const struct top_view *view, size_t rows);
