/* SPDX-License-Identifier: MIT */
/* Callgrind's format, version 1: self costs by file, routine and line, and calls with their
 * inclusive costs. Self costs add up to exactly the report's totals.
 *
 * A node of the calling-context tree becomes a block: its routine, its own cost, and a call for
 * each of its children. The format knows callers and callees, not whole paths; readers add up equal
 * lines. Names are written once and are numbers from then on (name compression). */
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/export/export.h"
#include "analyze/export/export_text.h"

#include <stdlib.h>

enum name_space { NAME_OBJECT, NAME_FILE, NAME_ROUTINE, NAME_SPACES };

struct callgrind {
	FILE *out;
	const struct run *run;
	const struct path_tree *tree;
	struct path_figures *totals;
	size_t *first_child, *next_child; /* 0: none */
	/* of texts, by address: texts of routines are interned */
	struct keyed_table *numbers[NAME_SPACES];
};

/* "(3) name" the first time, then "(3)". */
static void print_name(struct callgrind *to, enum name_space space, const void *key,
		       const char *text)
{
	size_t known = keyed_table_count(to->numbers[space]);
	size_t number = keyed_table_number(to->numbers[space], &key);

	if (number < known) {
		fprintf(to->out, "(%zu)\n", number + 1);
		return;
	}
	char *word = export_word(text, "", ' ');

	fprintf(to->out, "(%zu) %s\n", number + 1, word);
	free(word);
}

/* prefix: "" for the block's own routine, "c" for a callee. */
static void print_routine(struct callgrind *to, const char *prefix, size_t number)
{
	const struct routine *routine = names_routine(to->run->names, number);
	static const char none[] = "";
	const char *module = *routine->module ? routine->module : "???";
	const char *file = routine->file ? routine->file : "???";

	fprintf(to->out, "%sob=", prefix);
	print_name(to, NAME_OBJECT, *routine->module ? routine->module : none, module);
	fprintf(to->out, *prefix ? "cfi=" : "fl=");
	print_name(to, NAME_FILE, routine->file ? routine->file : none, file);
	fprintf(to->out, "%sfn=", prefix);
	print_name(to, NAME_ROUTINE, routine, export_routine_name(to->run->names, number));
}

static void print_cost(struct callgrind *to, unsigned line, const struct path_figures *figures)
{
	fprintf(to->out, "%u %llu %llu\n", line, (unsigned long long)figures->cpu_ns,
		(unsigned long long)figures->wait_ns);
}

static bool has_cost(const struct path_figures *figures)
{
	return figures->cpu_ns || figures->wait_ns;
}

static void print_call(struct callgrind *to, unsigned line, size_t child)
{
	const struct path_figures *totals = &to->totals[child];

	if (!has_cost(totals))
		return;
	print_routine(to, "c", to->tree->nodes[child].routine);
	fprintf(to->out, "calls=%llu 0\n", (unsigned long long)(totals->samples + totals->waits));
	print_cost(to, line, totals);
}

static void print_node(struct callgrind *to, size_t number)
{
	const struct path_node *node = &to->tree->nodes[number];

	if (!has_cost(&to->totals[number]))
		return;
	print_routine(to, "", node->routine);
	print_cost(to, node->line, &node->self);
	for (size_t child = to->first_child[number]; child; child = to->next_child[child])
		print_call(to, node->line, child);
	fputc('\n', to->out);
}

static void link_children(struct callgrind *to)
{
	to->first_child = memory_allocate(to->tree->count + 1, sizeof *to->first_child);
	to->next_child = memory_allocate(to->tree->count + 1, sizeof *to->next_child);
	for (size_t i = to->tree->count; i-- > 1;) {
		size_t parent = to->tree->nodes[i].parent;

		to->next_child[i] = to->first_child[parent];
		to->first_child[parent] = i;
	}
}

static void print_head(struct callgrind *to)
{
	char *command = export_word(to->run->command, "", ' ');

	fprintf(to->out,
		"# callgrind format\n"
		"version: 1\n"
		"creator: ptrace-export " PTRACE_VERSION "\n"
		"cmd: %s\n"
		"desc: calls= counts the samples and waits below the call: calls of routines are "
		"not counted\n"
		"positions: line\n"
		"event: Cpu : CPU time (ns)\n"
		"event: Wait : time in waits (ns)\n"
		"events: Cpu Wait\n"
		"summary: %llu %llu\n\n",
		command, (unsigned long long)to->totals[0].cpu_ns,
		(unsigned long long)to->totals[0].wait_ns);
	free(command);
}

void export_callgrind(struct export *export)
{
	struct callgrind to = {
		.out = export->out,
		.run = export->run,
		.tree = &export->run->paths,
		.totals = path_tree_totals(&export->run->paths),
	};

	for (size_t i = 0; i < NAME_SPACES; i++)
		to.numbers[i] = keyed_table_create(sizeof(void *), sizeof(void *));
	link_children(&to);
	print_head(&to);
	for (size_t i = 1; i < to.tree->count; i++)
		print_node(&to, i);
	for (size_t i = 0; i < NAME_SPACES; i++)
		keyed_table_destroy(to.numbers[i]);
	free(to.next_child);
	free(to.first_child);
	free(to.totals);
}
