/* SPDX-License-Identifier: MIT */
/* Folded stacks: a line for each call path, from the root, frames separated by semicolons, then a
 * blank and the weight in nanoseconds. The lines add up to exactly the report's total. */
#include "analyze/base/memory.h"
#include "analyze/export/export.h"
#include "analyze/export/export_text.h"

#include <stdlib.h>

/* Frames of the run that were needed so far, by routine. */
struct folded {
	const struct export *export;
	struct path_tree tree;
	char **words;
};

static const char *word_of(struct folded *folded, size_t routine)
{
	if (!folded->words[routine])
		folded->words[routine] = export_word(
			export_routine_name(folded->export->run->names, routine), ";", ':');
	return folded->words[routine];
}

static void print_path(struct folded *folded, size_t node)
{
	const struct path_node *nodes = folded->tree.nodes;
	size_t depth = nodes[node].depth, *path = memory_allocate(depth, sizeof *path);

	for (size_t at = node; at; at = nodes[at].parent)
		path[nodes[at].depth - 1] = nodes[at].routine;
	for (size_t i = 0; i < depth; i++)
		fprintf(folded->export->out, "%s%s", i ? ";" : "", word_of(folded, path[i]));
	free(path);
}

static void print_node(struct folded *folded, size_t node)
{
	const struct export *export = folded->export;
	uint64_t weight = export_measure_of(&folded->tree.nodes[node].self, export->measure);

	if (!weight)
		return;
	print_path(folded, node);
	fprintf(export->out, " %llu\n", (unsigned long long)weight);
}

void export_folded(struct export *export)
{
	size_t routines = names_count(export->run->names);
	struct folded folded = {
		.export = export,
		.tree = path_tree_fold_lines(&export->run->paths),
		.words = memory_allocate(routines, sizeof *folded.words),
	};

	for (size_t i = 1; i < folded.tree.count; i++)
		print_node(&folded, i);
	for (size_t i = 0; i < routines; i++)
		free(folded.words[i]);
	free(folded.words);
	path_tree_clear(&folded.tree);
}
