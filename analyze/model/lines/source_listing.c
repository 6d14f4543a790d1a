/* SPDX-License-Identifier: MIT */
#include "analyze/model/lines/source_listing.h"

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

struct choosing {
	const struct run *run;
	const struct source_lines *lines;
	const struct source_query *query;
	struct source_listing listing;
	size_t capacity;
};

static bool has_block(const struct choosing *choosing, size_t routine, const char *file)
{
	for (size_t i = 0; i < choosing->listing.count; i++) {
		const struct source_block *block = &choosing->listing.blocks[i];

		if (block->routine == routine && block->file == file)
			return true;
	}
	return false;
}

/* Equal files are one text of the names. */
static void add_block(struct choosing *choosing, size_t routine, const char *file)
{
	struct source_listing *listing = &choosing->listing;

	if (has_block(choosing, routine, file))
		return;
	listing->blocks = memory_grow(listing->blocks, listing->count, &choosing->capacity,
				      sizeof *listing->blocks);
	listing->blocks[listing->count++] = (struct source_block){.routine = routine, .file = file};
}

static void choose(struct choosing *choosing)
{
	const struct source_query *query = choosing->query;

	for (size_t i = 0; i < choosing->lines->count; i++) {
		size_t number = choosing->lines->rows[i].routine;
		const struct routine *routine = names_routine(choosing->run->names, number);

		if (query->routine) {
			if (plain_name_is(routine->name, query->routine) &&
			    (!query->file || is_file(routine->file, query->file)))
				add_block(choosing, number, routine->file);
		} else if (query->file) {
			if (is_file(routine->file, query->file))
				add_block(choosing, SOURCE_ALL_ROUTINES, routine->file);
		} else if (routine->file && !routine->is_runtime &&
			   choosing->listing.count < query->most) {
			add_block(choosing, number, routine->file);
		}
	}
}

/* ---- the rows of a block */

static bool is_in_block(const struct choosing *choosing, const struct source_block *block,
			const struct source_line *line)
{
	const struct routine *routine = names_routine(choosing->run->names, line->routine);

	return block->routine == SOURCE_ALL_ROUTINES ? routine->file == block->file
						     : line->routine == block->routine;
}

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

/* The figures of a block by line; released by the caller. */
static const struct source_line **figures_of(const struct choosing *choosing,
					     const struct source_block *block, size_t *count)
{
	const struct source_lines *lines = choosing->lines;
	const struct source_line **found = memory_allocate(lines->count, sizeof *found);

	*count = 0;
	for (size_t i = 0; i < lines->count; i++)
		if (is_in_block(choosing, block, &lines->rows[i]) &&
		    is_near(choosing->query, lines->rows[i].line))
			found[(*count)++] = &lines->rows[i];
	qsort(found, *count, sizeof *found, compare_lines);
	return found;
}

/* The last line of the file that any figure names. */
static unsigned last_line(const struct run *run, const struct source_lines *lines, const char *file)
{
	unsigned last = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const struct source_line *line = &lines->rows[i];

		if (names_routine(run->names, line->routine)->file == file && line->line > last)
			last = (unsigned)line->line;
	}
	return last;
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

static void fill_rows(const struct choosing *choosing, struct source_block *block)
{
	struct filling filling = {.block = block};
	size_t count;
	const struct source_line **figures = figures_of(choosing, block, &count);
	unsigned begin = block->routine == SOURCE_ALL_ROUTINES ? 0 : begin_of(figures, count);

	for (size_t i = 0; i < count; i++) {
		unsigned line = (unsigned)figures[i]->line;

		if (begin && line > begin && !filling.shown)
			add_context(&filling, begin, begin);
		if (line)
			add_between(&filling, line);
		add_row(&filling, line, figures[i]);
	}
	if (filling.shown)
		add_context(&filling, filling.shown + 1, filling.shown + CONTEXT);
	free(figures);
}

/* A routine of the block; a block is made for one. */
static size_t routine_of(const struct choosing *choosing, const struct source_block *block)
{
	for (size_t i = 0; i < choosing->lines->count; i++)
		if (is_in_block(choosing, block, &choosing->lines->rows[i]))
			return choosing->lines->rows[i].routine;
	return 0;
}

const struct source_text *source_listing_text(const struct run *run,
					      const struct source_lines *lines, size_t number,
					      struct source_texts *texts)
{
	const struct routine *routine = names_routine(run->names, number);

	return routine->file && texts ? source_texts_find(texts, routine->file, routine->module,
							  last_line(run, lines, routine->file))
				      : NULL;
}

struct source_listing source_listing_of(const struct run *run, const struct source_lines *lines,
					const struct source_query *query,
					struct source_texts *texts)
{
	struct choosing choosing = {.run = run, .lines = lines, .query = query};
	size_t filled = 0;

	choose(&choosing);
	for (size_t i = 0; i < choosing.listing.count; i++) {
		struct source_block block = choosing.listing.blocks[i];

		block.text = source_listing_text(run, lines, routine_of(&choosing, &block), texts);
		fill_rows(&choosing, &block);
		if (block.count) /* else nothing is near the line that was asked for */
			choosing.listing.blocks[filled++] = block;
	}
	choosing.listing.count = filled;
	return choosing.listing;
}

void source_listing_clear(struct source_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->blocks[i].rows);
	free(listing->blocks);
	*listing = (struct source_listing){0};
}
