/* SPDX-License-Identifier: MIT */
/* The processes of a run below those that started them. Context: pure. */
#pragma once

#include "analyze/top/top_frame.h"

struct top_branch {
	const struct live_process *process;
	unsigned depth; /* 0: its parent is not in the run */
};

/* Those that pass the filter, each behind its parent, children in the order of their starts. What a
 * process becomes by exec is a child of the same parent. Released by the caller. */
struct top_branch *top_tree_of(const struct top_view *view, const struct live_frame *frame,
			       size_t *count);
void top_print_tree(FILE *out, const struct top_view *view, const struct live_frame *frame);
