/* SPDX-License-Identifier: MIT */
/* A line of text, cut to the width of a view. Context: pure but for `out`. */
#pragma once

#include "analyze/top/top_frame.h"

void top_print_line(FILE *out, const struct top_view *view, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
