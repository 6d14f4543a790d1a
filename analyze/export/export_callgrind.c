/* SPDX-License-Identifier: MIT */
/* Callgrind's format, version 1: self costs by file, routine and line, and calls with their
 * inclusive costs. Self costs add up to exactly the report's totals.
 *
 * A node of the calling-context tree becomes a block: its routine, its own cost, and a call for
 * each of its children. The format knows callers and callees, not whole paths; readers add up equal
 * lines. Names are written once and are numbers from then on (name compression). Beside CPU time
 * and waits a cost has each counted event. */
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/export/export.h"
#include "analyze/export/export_events.h"
#include "analyze/export/export_text.h"
#include "analyze/export/unique_names.h"

#include <stdlib.h>

enum name_space { NAME_OBJECT, NAME_FILE, NAME_ROUTINE, NAME_SPACES };

struct callgrind {
	FILE *out;
	const struct run *run;
	const struct path_tree *tree;
	struct path_figures *totals;
	struct export_events events;
	uint64_t *counts, *count_totals;  /* of each node, by event: its own, and with all below */
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

static void print_counts(struct callgrind *to, const uint64_t *counts)
{
	for (size_t i = 0; i < to->events.count; i++)
		fprintf(to->out, " %llu", (unsigned long long)counts[i]);
	fputc('\n', to->out);
}

/* counts: those of the node. */
static void print_cost(struct callgrind *to, unsigned line, const struct path_figures *figures,
		       const uint64_t *counts)
{
	fprintf(to->out, "%u %llu %llu", line, (unsigned long long)figures->cpu_ns,
		(unsigned long long)figures->wait_ns);
	print_counts(to, counts);
}

static const uint64_t *totals_of(const struct callgrind *to, size_t node)
{
	return to->count_totals + node * to->events.count;
}

static bool has_cost(const struct callgrind *to, size_t node)
{
	bool is_any = to->totals[node].cpu_ns || to->totals[node].wait_ns;

	for (size_t i = 0; i < to->events.count; i++)
		is_any |= totals_of(to, node)[i] > 0;
	return is_any;
}

static void print_call(struct callgrind *to, unsigned line, size_t child)
{
	const struct path_figures *totals = &to->totals[child];

	if (!has_cost(to, child))
		return;
	print_routine(to, "c", to->tree->nodes[child].routine);
	fprintf(to->out, "calls=%llu 0\n", (unsigned long long)(totals->samples + totals->waits));
	print_cost(to, line, totals, totals_of(to, child));
}

static void print_node(struct callgrind *to, size_t number)
{
	const struct path_node *node = &to->tree->nodes[number];

	if (!has_cost(to, number))
		return;
	print_routine(to, "", node->routine);
	print_cost(to, node->line, &node->self, to->counts + number * to->events.count);
	for (size_t child = to->first_child[number]; child; child = to->next_child[child])
		print_call(to, node->line, child);
	fputc('\n', to->out);
}

/* Parents stand before their children. */
static void add_up_counts(struct callgrind *to)
{
	size_t events = to->events.count;

	to->counts = export_events_by_node(&to->events, to->tree);
	to->count_totals = memory_allocate(to->tree->count * events, sizeof *to->count_totals);
	for (size_t node = to->tree->count; node--;)
		for (size_t i = 0; i < events; i++) {
			uint64_t *total = &to->count_totals[node * events + i];

			*total += to->counts[node * events + i];
			if (node)
				to->count_totals[to->tree->nodes[node].parent * events + i] +=
					*total;
		}
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

/* Events have their names in the profile as long names: those of the format have letters and digits
 * only. */
static void print_events(struct callgrind *to)
{
	static const struct {
		const char *name, *text;
	} times[] = {{"Cpu", "CPU time (ns)"}, {"Wait", "time in waits (ns)"}};
	struct unique_names *names = unique_names_create();

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		fprintf(to->out, "event: %s : %s\n", callgrind_names_add(names, times[i].name),
			times[i].text);
	for (size_t i = 0; i < to->events.count; i++) {
		const struct counter *counter = to->events.rows[i].counter;
		char *word = export_word(counter->name, "", ' ');
		char *unit = export_word(counter->unit, "", ' ');

		fprintf(to->out, "event: %s : %s (%s)\n", callgrind_names_add(names, counter->name),
			word, unit);
		free(unit);
		free(word);
	}
	fputs("events:", to->out);
	for (size_t i = 0; i < unique_names_count(names); i++)
		fprintf(to->out, " %s", unique_names_at(names, i));
	fputc('\n', to->out);
	unique_names_destroy(names);
}

/* Why an event has no costs. */
static void print_missing(struct callgrind *to)
{
	size_t event = 0;
	char *text;

	while ((text = export_events_missing(to->run, &event))) {
		char *word = export_word(text, "", ' ');

		fprintf(to->out, "desc: %s\n", word);
		free(word);
		free(text);
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
		"desc: the inclusive cost of a routine that calls itself counts at each level: it "
		"may exceed the total\n",
		command);
	print_missing(to);
	fputs("positions: line\n", to->out);
	print_events(to);
	fprintf(to->out, "summary: %llu %llu", (unsigned long long)to->totals[0].cpu_ns,
		(unsigned long long)to->totals[0].wait_ns);
	print_counts(to, to->count_totals);
	fputc('\n', to->out);
	free(command);
}

void export_callgrind(struct export *export)
{
	struct callgrind to = {
		.out = export->out,
		.run = export->run,
		.tree = &export->run->paths,
		.totals = path_tree_totals(&export->run->paths),
		.events = export_events_of(export->run),
	};

	for (size_t i = 0; i < NAME_SPACES; i++)
		to.numbers[i] = keyed_table_create(sizeof(void *), sizeof(void *));
	link_children(&to);
	add_up_counts(&to);
	print_head(&to);
	for (size_t i = 1; i < to.tree->count; i++)
		print_node(&to, i);
	for (size_t i = 0; i < NAME_SPACES; i++)
		keyed_table_destroy(to.numbers[i]);
	free(to.next_child);
	free(to.first_child);
	free(to.totals);
	free(to.counts);
	free(to.count_totals);
	export_events_clear(&to.events);
}
