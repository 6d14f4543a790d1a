/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/path_tree.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/counters/counter_places.h"
#include "analyze/model/paths/path_waits.h"
#include "analyze/model/process/process.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>

#define ROOT 0

/* The key of a node. The root has none: it precedes them. */
struct node_key {
	size_t parent, routine;
	unsigned line;
	enum path_kind kind;
};

/* Where a call path ends. */
struct leaf {
	size_t node;
	bool is_known, is_asleep, is_waking; /* call_stack.h */
};

struct path_accumulator {
	struct names *names;
	struct path_tree tree;
	size_t capacity;
	struct keyed_table *keys; /* struct node_key: row i is of node i + 1 */
	struct call_stack stack;
	struct leaf *leaf_of; /* of the profile added last, for each call path */
	size_t threads;       /* of the profiles before it */
};

static struct keyed_table *create_keys(void)
{
	return keyed_table_create(sizeof(struct node_key), sizeof(struct node_key));
}

static void append_node(struct path_accumulator *accumulator, const struct node_key *key)
{
	struct path_tree *tree = &accumulator->tree;
	unsigned depth = tree->count ? tree->nodes[key->parent].depth + 1 : 0;

	tree->nodes =
		memory_grow(tree->nodes, tree->count, &accumulator->capacity, sizeof *tree->nodes);
	tree->nodes[tree->count++] = (struct path_node){
		.parent = key->parent,
		.routine = key->routine,
		.line = key->line,
		.depth = depth,
		.kind = key->kind,
	};
}

/* The node with that key; a new one if there is none. */
static size_t enter_node(struct path_accumulator *accumulator, const struct node_key *key)
{
	size_t index = 1 + keyed_table_number(accumulator->keys, key);

	if (index == accumulator->tree.count)
		append_node(accumulator, key);
	return index;
}

/* The last node is reserved for what does not fit. */
static size_t find_node(struct path_accumulator *accumulator, size_t parent, struct frame frame,
			enum path_kind kind)
{
	struct node_key key = {parent, frame.routine, frame.line, kind};
	bool is_full = accumulator->tree.count + 1 >= PATH_NODES_MAX;

	/* a wait is a leaf at any depth */
	if (accumulator->tree.nodes[parent].depth >= PATH_DEPTH_MAX && kind == PATH_CODE)
		return parent;

	if (is_full && !keyed_table_find(accumulator->keys, &key))
		key = (struct node_key){.routine = names_special(accumulator->names, "[other]")};
	size_t node = enter_node(accumulator, &key);

	accumulator->tree.nodes[node].is_inferred |=
		frame.is_inferred && key.routine == frame.routine;
	return node;
}

static size_t find_special(struct path_accumulator *accumulator, size_t parent, const char *name,
			   enum path_kind kind)
{
	struct frame frame = {.routine = names_special(accumulator->names, name)};

	return find_node(accumulator, parent, frame, kind);
}

/* ---- the tables of a profile */

static size_t find_path(struct path_accumulator *accumulator, const struct profile *profile,
			size_t callpath)
{
	size_t node = ROOT;

	call_stack_read(&accumulator->stack, accumulator->names, profile, callpath);
	for (size_t i = accumulator->stack.count; i--;)
		node = find_node(accumulator, node, accumulator->stack.frames[i], PATH_CODE);
	/* no call path: the profile's table was full */
	return accumulator->stack.count ? node
					: find_special(accumulator, ROOT, "[other]", PATH_CODE);
}

static size_t leaf_of(struct path_accumulator *accumulator, const struct profile *profile,
		      size_t callpath)
{
	struct leaf *leaf = &accumulator->leaf_of[callpath];

	if (!leaf->is_known)
		*leaf = (struct leaf){.node = find_path(accumulator, profile, callpath),
				      .is_known = true,
				      .is_asleep = accumulator->stack.is_asleep,
				      .is_waking = accumulator->stack.is_waking};
	return leaf->node;
}

static void add_figures(struct path_figures *to, const struct path_figures *from)
{
	to->cpu_ns += from->cpu_ns;
	to->elapsed_ns += from->elapsed_ns;
	to->alone_ns += from->alone_ns;
	to->samples += from->samples;
	to->within_ns += from->within_ns;
	to->waking_ns += from->waking_ns;
	to->wait_ns += from->wait_ns;
	to->waits += from->waits;
}

/* The node is passed by number: finding a node may move the nodes. */
static void charge(struct path_accumulator *accumulator, size_t node,
		   const struct path_figures *figures)
{
	add_figures(&accumulator->tree.nodes[node].self, figures);
}

/* The samples of a thread follow each other. */
static void charge_atomic(struct path_node *node, const struct sample_share *share,
			  const struct profile_sample *sample, size_t first_of_process)
{
	struct path_atomic *atomic = &node->atomic;
	size_t thread = first_of_process + sample->thread;

	if (node->atomic_thread != thread) {
		atomic->is_shared |= atomic->cpu_ns && node->atomic_thread >= first_of_process;
		node->atomic_thread_ns = 0;
	}
	node->atomic_thread = thread;
	node->atomic_thread_ns += sample->cpu_ns;
	atomic->cpu_ns += sample->cpu_ns;
	atomic->samples += sample->count;
	if (share->active_ns > share->alone_ns)
		atomic->company_ns += share->active_ns - share->alone_ns;
	if (node->atomic_thread_ns <= atomic->most_ns)
		return;
	atomic->most_ns = node->atomic_thread_ns;
	atomic->most_thread = thread;
	atomic->process = first_of_process;
}

static void add_sample(struct path_accumulator *accumulator, const struct profile *profile,
		       const struct profile_sample *sample, const struct sample_share *share)
{
	struct path_figures figures = {
		.cpu_ns = sample->cpu_ns,
		.elapsed_ns = share->elapsed_ns,
		.alone_ns = share->alone_ns,
		.samples = sample->count,
	};

	size_t leaf = leaf_of(accumulator, profile, sample->callpath);

	if (accumulator->leaf_of[sample->callpath].is_asleep)
		figures.within_ns = sample->cpu_ns;
	else if (accumulator->leaf_of[sample->callpath].is_waking)
		figures.waking_ns = sample->cpu_ns;
	charge(accumulator, leaf, &figures);
	if (names_is_atomic(accumulator->names, profile, sample->callpath))
		charge_atomic(&accumulator->tree.nodes[leaf], share, sample, accumulator->threads);
}

/* As in the routines (routine_time.c): what a thread used beyond what its samples claim. */
static void add_unsampled(struct path_accumulator *accumulator, const struct profile *profile,
			  const struct sample_share *share)
{
	struct path_figures figures = {.cpu_ns = sample_unclaimed_ns(profile),
				       .elapsed_ns = share->elapsed_ns,
				       .alone_ns = share->alone_ns};

	if (figures.cpu_ns || figures.elapsed_ns)
		charge(accumulator, find_special(accumulator, ROOT, "[unsampled]", PATH_CODE),
		       &figures);
}

static void add_wait(void *data, const struct profile *profile, const struct path_wait *wait)
{
	struct path_accumulator *accumulator = data;
	size_t node = wait->callpath ? leaf_of(accumulator, profile, wait->callpath) : ROOT;
	struct path_figures figures = {.wait_ns = wait->time_ns, .waits = wait->count};

	for (size_t i = 0; i < wait->frame_count; i++)
		node = find_node(accumulator, node, wait->frames[i], PATH_CODE);
	if (node == ROOT)
		node = find_special(accumulator, ROOT, "[other]", PATH_CODE);
	node = find_special(accumulator, node, wait->name, PATH_WAIT);
	charge(accumulator, node, &figures);
}

void path_accumulator_add(struct path_accumulator *accumulator, const struct profile *profile,
			  const struct process *process, const struct sample_shares *shares)
{
	free(accumulator->leaf_of);
	accumulator->leaf_of =
		memory_allocate(profile->callpaths.count, sizeof *accumulator->leaf_of);
	for (size_t i = 0; i < profile->samples.count; i++)
		add_sample(accumulator, profile, &profile->samples.rows[i], &shares->samples[i]);
	accumulator->threads += profile->threads.count;
	add_unsampled(accumulator, profile, &shares->rest);
	path_waits_read(accumulator->names, profile, process, add_wait, accumulator);
}

void path_accumulator_count(struct path_accumulator *accumulator, const struct profile *profile,
			    const struct profile_event_sample *sample, const char *event,
			    const struct counter_sum *sum)
{
	size_t node = sample ? leaf_of(accumulator, profile, sample->callpath)
			     : find_special(accumulator, ROOT, "[unsampled]", PATH_CODE);

	path_counts_add(accumulator->tree.counts,
			&(struct path_count){{node, event, sum->count, sum->scaled, sum->samples}});
}

/* ---- life */

struct path_accumulator *path_accumulator_create(struct names *names)
{
	struct path_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);
	struct node_key root = {.routine = names_special(names, "")};

	accumulator->names = names;
	accumulator->keys = create_keys();
	accumulator->tree.counts = path_counts_create();
	append_node(accumulator, &root);
	return accumulator;
}

struct path_tree path_accumulator_finish(struct path_accumulator *accumulator)
{
	struct path_tree tree = accumulator->tree;

	keyed_table_destroy(accumulator->keys);
	call_stack_clear(&accumulator->stack);
	free(accumulator->leaf_of);
	free(accumulator);
	return tree;
}

void path_tree_clear(struct path_tree *tree)
{
	free(tree->nodes);
	path_counts_destroy(tree->counts);
	*tree = (struct path_tree){0};
}

/* ---- merged runs */

static void write_counts(const struct path_counts *counts, struct merged_writer *writer)
{
	for (size_t i = 0; i < path_counts_count(counts); i++)
		merged_writer_add(writer, MERGED_path_counts, path_counts_at(counts, i));
}

void path_accumulator_write(const struct path_accumulator *accumulator,
			    struct merged_writer *writer)
{
	for (size_t i = 1; i < accumulator->tree.count; i++)
		merged_writer_add(writer, MERGED_paths, &accumulator->tree.nodes[i]);
	write_counts(accumulator->tree.counts, writer);
}

static void read_counts(struct path_accumulator *accumulator, const struct merged_input *input)
{
	struct path_count row;

	for (size_t next = 0; merged_next(input, MERGED_path_counts, &next, &row);) {
		if (row.node == MERGED_NO_ROW)
			row.node = find_special(accumulator, ROOT, "[other]", PATH_CODE);
		path_counts_add(accumulator->tree.counts, &row);
	}
}

/* Files have different threads: `before` were in others. */
static void read_atomic(struct path_atomic *atomic, const struct path_atomic *from, size_t before)
{
	atomic->cpu_ns += from->cpu_ns;
	atomic->company_ns += from->company_ns;
	atomic->samples += from->samples;
	atomic->is_shared |= from->is_shared;
	if (from->most_ns <= atomic->most_ns)
		return;
	atomic->most_ns = from->most_ns;
	atomic->most_thread = before + from->most_thread;
	atomic->process = before + from->process;
}

static size_t read_node(struct path_accumulator *accumulator, const struct merged_paths *row)
{
	bool is_known = row->routine != MERGED_NO_ROW && row->parent != MERGED_NO_ROW;
	struct frame frame = {
		.routine = is_known ? row->routine : names_special(accumulator->names, "[other]"),
		.line = (unsigned)row->line,
		.is_inferred = row->is_inferred,
	};
	size_t node = find_node(accumulator, is_known ? row->parent : ROOT, frame, row->kind);

	charge(accumulator, node, &row->self);
	read_atomic(&accumulator->tree.nodes[node].atomic, &row->atomic, accumulator->threads);
	return node;
}

/* Row i of a merged file is node i + 1: the root has none. */
void path_accumulator_read(struct path_accumulator *accumulator, struct merged_input *input)
{
	struct merged_paths row;
	size_t threads = 0;

	for (size_t next = 0; merged_next(input, MERGED_paths, &next, &row);) {
		merged_number(input, MERGED_paths, next, read_node(accumulator, &row) - 1);
		if (row.atomic.most_thread >= threads)
			threads = row.atomic.most_thread + 1;
	}
	accumulator->threads += threads;
	read_counts(accumulator, input);
}

/* ---- other views of a tree */

struct path_tree path_tree_fold_lines(const struct path_tree *tree)
{
	struct path_accumulator accumulator = {.keys = create_keys()};
	size_t *node_of = memory_allocate(tree->count, sizeof *node_of);

	for (size_t i = 0; i < tree->count; i++) {
		const struct path_node *node = &tree->nodes[i];
		struct node_key key = {node_of[node->parent], node->routine, 0, node->kind};

		if (i == ROOT)
			append_node(&accumulator, &key);
		else
			node_of[i] = enter_node(&accumulator, &key);
		accumulator.tree.nodes[node_of[i]].is_inferred |= node->is_inferred;
		add_figures(&accumulator.tree.nodes[node_of[i]].self, &node->self);
	}
	free(node_of);
	keyed_table_destroy(accumulator.keys);
	return accumulator.tree;
}

struct path_figures *path_tree_totals(const struct path_tree *tree)
{
	struct path_figures *totals = memory_allocate(tree->count, sizeof *totals);

	for (size_t i = tree->count; i--;) {
		add_figures(&totals[i], &tree->nodes[i].self);
		if (i)
			add_figures(&totals[tree->nodes[i].parent], &totals[i]);
	}
	return totals;
}
