/* SPDX-License-Identifier: MIT */
/* Trees of call paths told by hand, for tests. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/paths/path_tree.h"

struct told {
	size_t parent;
	const char *name;
	uint64_t cpu_ns, wait_ns;
};

extern struct names *told_names;

/* Before and after each test: the names. */
void told_setup(void);
void told_teardown(void);

/* Its nodes are released by the caller. */
struct path_tree told_tree(const struct told *told, size_t count);
