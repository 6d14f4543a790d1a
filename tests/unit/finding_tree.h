/* SPDX-License-Identifier: MIT */
/* A scene with call paths, for rules that ask samples. */
#pragma once

#include "tests/unit/finding_scene.h"

#define LIBC "/lib/libc.so.6"

struct tree {
	struct scene scene;
	struct path_node nodes[8];
};

static inline size_t tree_add(struct tree *tree, size_t parent, const char *name,
			      const char *module, uint64_t cpu_ns)
{
	size_t index = tree->scene.run.paths.count++;

	tree->nodes[index] = (struct path_node){
		.parent = parent,
		.routine = names_number(tree->scene.run.names, name, module, NULL),
		.depth = index ? tree->nodes[parent].depth + 1 : 0,
		.self = {.cpu_ns = cpu_ns, .samples = cpu_ns / (4 * MS)}};
	return index;
}

/* The root. */
static inline void tree_begin(struct tree *tree)
{
	tree->scene.run.paths.nodes = tree->nodes;
	tree_add(tree, 0, "", "", 0);
}
