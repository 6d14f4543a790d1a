/* SPDX-License-Identifier: MIT */
#include "analyze/model/lines/source_listing.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/plain_name.h"

#include <stdlib.h>
#include <string.h>

enum {
	CONTEXT = 2,       /* lines around one with figures */
	NEIGHBOURHOOD = 8, /* lines around the one that was asked for */
	GAP_LEAST = 3,     /* fewer lines without figures are shown: "..." is a line as well */
};

/* ---- what fits the query */

/* The whole path, or some of its last components. */
static bool is_file(const char *path, const char *wanted)
{
	size_t length = path ? strlen(path) : 0, tail = strlen(wanted);

	return path && tail && length >= tail && !strcmp(path + length - tail, wanted) &&
	       (length == tail || path[length - tail - 1] == '/');
}

/* A block, and the lines that belong to it. */
struct chosen {
	size_t routine; /* these two are the key */
	const char *file;
	const struct source_line **lines;
	size_t count, capacity;
};

struct choosing {
	const struct run *run;
	const struct source_lines *lines;
	const struct source_query *query;
	struct keyed_table *blocks; /* struct chosen, in the order of the listing */
};

/* Equal files are one text of the names. */
static struct chosen key_of(const struct choosing *choosing, size_t number)
{
	const struct routine *routine = names_routine(choosing->run->names, number);
	bool is_by_file = choosing->query->file && !choosing->query->routine;

	return (struct chosen){.routine = is_by_file ? SOURCE_ALL_ROUTINES : number,
			       .file = routine->file};
}

static void add_block(const struct choosing *choosing, size_t routine)
{
	const struct chosen probe = key_of(choosing, routine);

	keyed_table_enter(choosing->blocks, &probe, NULL);
}

static bool is_wanted(const struct choosing *choosing, size_t number)
{
	const struct source_query *query = choosing->query;
	const struct routine *routine = names_routine(choosing->run->names, number);

	if (query->routine)
		return plain_name_is(routine->name, query->routine) &&
		       (!query->file || is_file(routine->file, query->file));
	if (query->file)
		return is_file(routine->file, query->file);
	return routine->file && !routine->is_runtime &&
	       keyed_table_count(choosing->blocks) < query->most;
}

static void choose(const struct choosing *choosing)
{
	const struct source_query *query = choosing->query;

	for (size_t i = 0; i < query->routine_count; i++)
		add_block(choosing, query->routines[i]);
	for (size_t i = 0; !query->routines && i < choosing->lines->count; i++)
		if (is_wanted(choosing, choosing->lines->rows[i].routine))
			add_block(choosing, choosing->lines->rows[i].routine);
}

/* Gives each line to its block: one pass, however many blocks there are. */
static void sort_into_blocks(const struct choosing *choosing)
{
	for (size_t i = 0; i < choosing->lines->count; i++) {
		const struct source_line *line = &choosing->lines->rows[i];
		const struct chosen probe = key_of(choosing, line->routine);
		struct chosen *chosen = keyed_table_find(choosing->blocks, &probe);

		if (!chosen)
			continue;
		chosen->lines = memory_grow(chosen->lines, chosen->count, &chosen->capacity,
					    sizeof *chosen->lines);
		chosen->lines[chosen->count++] = line;
	}
}

/* ---- the rows of a block */

/* Is the line near the one that was asked for? */
static bool is_near(const struct source_query *query, size_t line)
{
	return !query->line ||
	       (line + NEIGHBOURHOOD >= query->line && line <= (size_t)query->line + NEIGHBOURHOOD);
}

static int compare_lines(const void *left, const void *right)
{
	const struct source_line *a = *(const struct source_line *const *)left;
	const struct source_line *b = *(const struct source_line *const *)right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a > b) - (a < b); /* of one sorted array */
}

static double weight_of(const struct source_line *line)
{
	double spent = source_line_spent_ns(line), blame = (double)line->blame_ns;

	return spent > blame ? spent : blame;
}

static int compare_weights(const void *left, const void *right)
{
	const struct source_line *a = *(const struct source_line *const *)left;
	const struct source_line *b = *(const struct source_line *const *)right;
	double weight_a = weight_of(a), weight_b = weight_of(b);

	if (weight_a != weight_b)
		return weight_a > weight_b ? -1 : 1;
	return compare_lines(left, right);
}

/* Keeps those of the chosen lines that are shown, and sorts them by line. Returns how many with
 * figures are left out. */
static size_t keep_shown(const struct source_query *query, struct chosen *chosen)
{
	size_t near = 0, left_out = 0;

	for (size_t i = 0; i < chosen->count; i++)
		if (is_near(query, chosen->lines[i]->line))
			chosen->lines[near++] = chosen->lines[i];
	if (query->rows_most && near > query->rows_most) {
		qsort(chosen->lines, near, sizeof *chosen->lines, compare_weights);
		left_out = near - query->rows_most;
		near = query->rows_most;
	}
	if (near)
		qsort(chosen->lines, near, sizeof *chosen->lines, compare_lines);
	chosen->count = near;
	return left_out;
}

struct filling {
	struct source_block *block;
	size_t capacity;
	unsigned shown; /* the last line that has a row */
};

static void add_row(struct filling *filling, unsigned line, const struct source_line *figures)
{
	struct source_block *block = filling->block;
	bool has_text = block->text && line && line <= block->text->count &&
			(!block->count || block->rows[block->count - 1].line != line);

	block->rows =
		memory_grow(block->rows, block->count, &filling->capacity, sizeof *block->rows);
	block->rows[block->count++] = (struct source_row){
		.line = line,
		.text = has_text ? block->text->lines[line - 1] : NULL,
		.figures = figures,
	};
	filling->shown = line;
}

/* Lines without figures from `first` to `last`, which are not shown yet. */
static void add_context(struct filling *filling, unsigned first, unsigned last)
{
	const struct source_text *text = filling->block->text;
	unsigned count = text ? (unsigned)text->count : 0;

	if (filling->shown && first <= filling->shown + GAP_LEAST)
		first = filling->shown + 1;
	last = last < count ? last : count;
	for (unsigned line = first; line && line <= last; line++)
		add_row(filling, line, NULL);
}

static unsigned begin_of(const struct source_line *const *figures, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (figures[i]->cpu && figures[i]->cpu->begin)
			return figures[i]->cpu->begin;
	return 0;
}

/* Before a line with figures: the lines in front of it, and behind the one before. */
static void add_between(struct filling *filling, unsigned line)
{
	unsigned before = filling->shown;

	if (before && before < line)
		add_context(filling, before + 1,
			    before + CONTEXT < line ? before + CONTEXT : line - 1);
	if (line > filling->shown + 1)
		add_context(filling, line > CONTEXT ? line - CONTEXT : 1, line - 1);
}

static void fill_rows(struct source_block *block, const struct chosen *chosen)
{
	struct filling filling = {.block = block};
	unsigned begin =
		block->routine == SOURCE_ALL_ROUTINES ? 0 : begin_of(chosen->lines, chosen->count);

	for (size_t i = 0; i < chosen->count; i++) {
		unsigned line = (unsigned)chosen->lines[i]->line;

		if (begin && line > begin && !filling.shown)
			add_context(&filling, begin, begin);
		if (line)
			add_between(&filling, line);
		add_row(&filling, line, chosen->lines[i]);
	}
	if (filling.shown)
		add_context(&filling, filling.shown + 1, filling.shown + CONTEXT);
}

const struct source_text *source_listing_text(const struct run *run,
					      const struct source_lines *lines, size_t number,
					      struct source_texts *texts)
{
	const struct routine *routine = names_routine(run->names, number);

	return routine->file && texts ? source_texts_find(texts, routine->file, routine->module,
							  source_lines_end(lines, routine->file))
				      : NULL;
}

/* False: nothing is near the line that was asked for, or the routine has no figures. */
static bool fill_block(const struct choosing *choosing, struct chosen *chosen,
		       struct source_texts *texts, struct source_block *block)
{
	*block = (struct source_block){.routine = chosen->routine, .file = chosen->file};
	if (!chosen->count)
		return false;
	block->text = source_listing_text(choosing->run, choosing->lines, chosen->lines[0]->routine,
					  texts);
	block->left_out = keep_shown(choosing->query, chosen);
	fill_rows(block, chosen);
	return block->count;
}

struct source_listing source_listing_of(const struct run *run, const struct source_lines *lines,
					const struct source_query *query,
					struct source_texts *texts)
{
	struct choosing choosing = {.run = run, .lines = lines, .query = query};
	struct source_listing listing = {0};

	choosing.blocks = keyed_table_create(sizeof(struct chosen), offsetof(struct chosen, lines));
	choose(&choosing);
	sort_into_blocks(&choosing);
	size_t count = keyed_table_count(choosing.blocks);
	listing.blocks = memory_allocate(count, sizeof *listing.blocks);
	for (size_t i = 0; i < count; i++) {
		struct chosen *chosen = keyed_table_row(choosing.blocks, i);

		if (fill_block(&choosing, chosen, texts, &listing.blocks[listing.count]))
			listing.count++;
		free(chosen->lines);
	}
	keyed_table_destroy(choosing.blocks);
	return listing;
}

void source_listing_clear(struct source_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->blocks[i].rows);
	free(listing->blocks);
	*listing = (struct source_listing){0};
}
