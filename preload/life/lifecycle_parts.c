/* SPDX-License-Identifier: MIT */
#include "preload/life/lifecycle_parts.h"

enum { CHILDREN_MOST = 4096 };

struct lifecycle life = {
	.children = {.table = TABLE_children,
		     .row_bytes = sizeof(struct row_children),
		     .rows_per_block = 32,
		     .limit = CHILDREN_MOST,
		     .next = 1},
};
