/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_tree.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/top/top_rates.h"
#include "analyze/top/top_threads.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_SHOWN = 12 }; /* deeper ones are not indented further */

/* ---- who is whose child */

struct tree {
	const struct live_process **processes; /* in the order of their starts */
	size_t *parents;                       /* of each; its own number: none */
	size_t count;
	struct top_branch *branches;
	size_t branch_count;
};

static int compare_starts(const void *left, const void *right)
{
	const struct live_process *a = *(const struct live_process *const *)left;
	const struct live_process *b = *(const struct live_process *const *)right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Do process numbers mean the same for both? Hosts are kept texts. */
static bool has_same_numbers(const struct live_process *a, const struct live_process *b)
{
	return a->host == b->host && a->pid_namespace == b->pid_namespace;
}

/* The last one of that number that had begun by then: a number may come again. */
static size_t find_parent(const struct tree *tree, size_t index)
{
	const struct live_process *child = tree->processes[index];

	for (size_t i = index; i-- > 0;)
		if (tree->processes[i]->pid == child->parent_pid &&
		    has_same_numbers(tree->processes[i], child))
			return i;
	return index;
}

static void add_branch(struct tree *tree, size_t index, unsigned depth)
{
	tree->branches[tree->branch_count++] = (struct top_branch){tree->processes[index], depth};
	for (size_t i = index + 1; i < tree->count; i++)
		if (tree->parents[i] == index)
			add_branch(tree, i, depth + 1);
}

static void grow_tree(struct tree *tree)
{
	qsort(tree->processes, tree->count, sizeof *tree->processes, compare_starts);
	for (size_t i = 0; i < tree->count; i++)
		tree->parents[i] = find_parent(tree, i);
	for (size_t i = 0; i < tree->count; i++)
		if (tree->parents[i] == i)
			add_branch(tree, i, 0);
}

static bool is_shown(const struct top_view *view, const struct live_process *process)
{
	const char *texts[] = {process->command, process->status};

	return top_passes(view, texts, 2);
}

struct top_branch *top_tree_of(const struct top_view *view, const struct live_frame *frame,
			       size_t *count)
{
	struct tree tree = {
		.processes = memory_allocate(frame->process_count + 1, sizeof *tree.processes),
		.parents = memory_allocate(frame->process_count + 1, sizeof *tree.parents),
		.branches = memory_allocate(frame->process_count + 1, sizeof *tree.branches),
		.count = frame->process_count,
	};

	for (size_t i = 0; i < tree.count; i++)
		tree.processes[i] = &frame->processes[i];
	grow_tree(&tree);
	*count = 0;
	for (size_t i = 0; i < tree.branch_count; i++)
		if (is_shown(view, tree.branches[i].process))
			tree.branches[(*count)++] = tree.branches[i];
	free(tree.processes);
	free(tree.parents);
	return tree.branches;
}

/* ---- the table */

static const struct text_column columns[] = {
	{"pid", TEXT_RIGHT},     {"rank", TEXT_RIGHT},       {"CPU", TEXT_RIGHT},
	{"threads", TEXT_SPARE}, {"locks/s", TEXT_SPARE},    {"waits/s", TEXT_SPARE},
	{"io/s", TEXT_SPARE},    {"bytes/s", TEXT_LEAST},    {"req/s", TEXT_RIGHT},
	{"state", TEXT_LEFT},    {"process", TEXT_FLEXIBLE},
};

static char *cpu_text(const struct live_process *process)
{
	return process->interval_ns
		       ? text_percent(100 * (double)process->cpu_ns / (double)process->interval_ns)
		       : memory_copy_text("n/a");
}

/* Of what has ended, nothing goes on. */
static void add_figures(struct text_table *table, const struct live_process *process)
{
	const struct live_counts *grown = &process->grown;
	uint64_t ns = process->interval_ns;

	if (!process->is_alive) {
		for (int i = 0; i < 7; i++)
			text_table_add(table, memory_copy_text(""));
		return;
	}
	text_table_add(table, cpu_text(process));
	text_table_add(table, text_count(process->threads));
	text_table_add(table, top_rate(grown->locks, ns, true));
	text_table_add(table, top_rate(grown->waits, ns, true));
	text_table_add(table, top_rate(grown->transfers, ns, process->has_io));
	text_table_add(table, top_rate_of_bytes(grown->bytes, ns, process->has_io));
	text_table_add(table, process->is_server ? top_rate(grown->requests, ns, true)
						 : memory_copy_text(""));
}

/* Without the folders of the program: the tree needs their room. */
static const char *command_of(const struct live_process *process)
{
	const char *command = process->command ? process->command : "", *name = command;

	for (const char *at = command; *at && *at != ' '; at++)
		if (*at == '/')
			name = at + 1;
	return name;
}

static char *branch_text(const struct top_view *view, const struct top_branch *branch)
{
	unsigned depth = branch->depth < DEPTH_SHOWN ? branch->depth : DEPTH_SHOWN;
	const char *command = command_of(branch->process);

	if (!depth)
		return memory_copy_text(command);
	return memory_print("%*s%s %s", (int)(3 * (depth - 1)), "", view->is_utf8 ? "└─" : "`-",
			    command);
}

static void add_row(struct text_table *table, const struct top_view *view,
		    const struct top_branch *branch)
{
	const struct live_process *process = branch->process;

	text_table_add(table, text_count(process->pid));
	text_table_add(table, text_rank(process->rank));
	add_figures(table, process);
	text_table_add(table, memory_copy_text(process->status ? process->status : "?"));
	text_table_add(table, branch_text(view, branch));
}

void top_print_tree(FILE *out, const struct top_view *view, const struct live_frame *frame)
{
	size_t count, most = view->rows[TOP_PROCESSES];
	struct top_branch *branches = top_tree_of(view, frame, &count);
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	size_t first = view->first < count ? view->first : 0;
	size_t shown = count - first < most ? count - first : most;

	for (size_t i = first; i < first + shown; i++)
		add_row(table, view, &branches[i]);
	text_table_be_quiet(table);
	top_mark_table(out, view, shown);
	text_table_print(table, out, view->width, view->is_utf8);
	top_print_more(out, count, shown, first);
	free(branches);
}
