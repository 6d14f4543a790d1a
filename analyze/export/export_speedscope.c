/* SPDX-License-Identifier: MIT */
/* speedscope's file format: all frames once, then a profile for each measure, each a list of stacks
 * (numbers of frames, root first) and one of weights.
 *
 * Written by hand except for its texts: json-c would keep the whole document in memory, and this
 * one is as large as all call paths. */
#include "analyze/base/memory.h"
#include "analyze/export/export.h"
#include "analyze/export/export_text.h"

#include <stdlib.h>

struct speedscope {
	FILE *out;
	const struct run *run;
	struct path_tree tree;
	size_t *frame_of; /* for each routine the number of its frame + 1; 0: it has none */
};

static void print_frame(struct speedscope *to, size_t number)
{
	const struct routine *routine = names_routine(to->run->names, number);

	fputs("{\"name\":", to->out);
	export_json_text(to->out, export_routine_name(to->run->names, number));
	if (routine->file) {
		fputs(",\"file\":", to->out);
		export_json_text(to->out, routine->file);
	}
	fputc('}', to->out);
}

static void print_frames(struct speedscope *to)
{
	size_t count = 0;

	fputs("\"shared\":{\"frames\":[", to->out);
	for (size_t i = 1; i < to->tree.count; i++) {
		size_t routine = to->tree.nodes[i].routine;

		if (to->frame_of[routine])
			continue;
		fputs(count ? ",\n" : "\n", to->out);
		print_frame(to, routine);
		to->frame_of[routine] = ++count;
	}
	fputs("]}", to->out);
}

static void print_stack(struct speedscope *to, size_t node)
{
	const struct path_node *nodes = to->tree.nodes;
	size_t *path = memory_allocate(nodes[node].depth, sizeof *path); /* root first */
	const char *separator = "";

	for (size_t at = node; at; at = nodes[at].parent)
		path[nodes[at].depth - 1] = to->frame_of[nodes[at].routine] - 1;
	fputc('[', to->out);
	for (size_t i = 0; i < nodes[node].depth; i++) {
		fprintf(to->out, "%s%zu", separator, path[i]);
		separator = ",";
	}
	fputc(']', to->out);
	free(path);
}

static uint64_t sum_of(const struct path_tree *tree, enum export_measure measure)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < tree->count; i++)
		sum += export_measure_of(&tree->nodes[i].self, measure);
	return sum;
}

static void print_profile(struct speedscope *to, enum export_measure measure, const char *title)
{
	const char *separator = "";

	fprintf(to->out,
		"{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"nanoseconds\","
		"\"startValue\":0,\"endValue\":%llu,\n\"samples\":[",
		title, (unsigned long long)sum_of(&to->tree, measure));
	for (size_t i = 1; i < to->tree.count; i++) {
		if (!export_measure_of(&to->tree.nodes[i].self, measure))
			continue;
		fputs(separator, to->out);
		print_stack(to, i);
		separator = ",\n";
	}
	fputs("],\n\"weights\":[", to->out);
	separator = "";
	for (size_t i = 1; i < to->tree.count; i++) {
		uint64_t weight = export_measure_of(&to->tree.nodes[i].self, measure);

		if (!weight)
			continue;
		fprintf(to->out, "%s%llu", separator, (unsigned long long)weight);
		separator = ",";
	}
	fputs("]}", to->out);
}

static void print_head(struct speedscope *to)
{
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	      "\"exporter\":\"ptrace-export " PTRACE_VERSION "\",\n\"name\":",
	      to->out);
	export_json_text(to->out, to->run->command);
	fputs(",\n\"activeProfileIndex\":0,\n", to->out);
}

void export_speedscope(struct export *export)
{
	static const char *const titles[EXPORT_MEASURES] = {
		[EXPORT_CPU] = "CPU time",
		[EXPORT_ALONE] = "CPU time alone: no other thread of the process ran",
		[EXPORT_WAIT] = "waits",
		[EXPORT_ELAPSED] = "share of elapsed time",
	};
	struct speedscope to = {
		.out = export->out,
		.run = export->run,
		.tree = path_tree_fold_lines(&export->run->paths),
		.frame_of = memory_allocate(names_count(export->run->names), sizeof *to.frame_of),
	};

	print_head(&to);
	print_frames(&to);
	fputs(",\n\"profiles\":[\n", to.out);
	for (enum export_measure measure = EXPORT_CPU; measure < EXPORT_MEASURES; measure++) {
		fputs(measure ? ",\n" : "", to.out);
		print_profile(&to, measure, titles[measure]);
	}
	fputs("]}\n", to.out);
	free(to.frame_of);
	path_tree_clear(&to.tree);
}
