/* SPDX-License-Identifier: MIT */
#include "tests/unit/told_tree.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/symbolize.h"

static struct symbolizer *symbolizer;
struct names *told_names;

void told_setup(void)
{
	symbolizer = symbolizer_create(NULL);
	told_names = names_create(symbolizer);
}

void told_teardown(void)
{
	names_destroy(told_names);
	symbolizer_destroy(symbolizer);
}

struct path_tree told_tree(const struct told *told, size_t count)
{
	struct path_tree tree = {memory_allocate(count, sizeof *tree.nodes), count, NULL};

	for (size_t i = 0; i < count; i++)
		tree.nodes[i] = (struct path_node){
			.parent = told[i].parent,
			.routine = names_number(told_names, told[i].name, "", NULL),
			.self = {.cpu_ns = told[i].cpu_ns, .wait_ns = told[i].wait_ns}};
	return tree;
}
