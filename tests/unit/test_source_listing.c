/* SPDX-License-Identifier: MIT */
#include "analyze/model/lines/source_listing.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 4096 };

/* The program of the scenes is /src/program.c; here it has a line "line N" for each N. */
static char directory[] = "/tmp/test_source_listing.XXXXXX";
static struct scene_run scene;
static struct run *run;
static struct source_lines lines;
static struct source_texts *texts;
static struct source_listing listing;

static void begin(const struct source_query *query)
{
	char path[64], map[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/program.c", directory);
	snprintf(map, sizeof map, "/src=%s", directory);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (int line = 1; line <= LINES; line++)
		fprintf(file, "line %d\n", line);
	ck_assert_int_eq(fclose(file), 0);
	run = scene_run_of(&scene, "workers");
	lines = source_lines_of(run);
	texts = source_texts_create((const char *const[]){map}, 1, 0);
	listing = source_listing_of(run, &lines, query, texts);
	unlink(path);
	rmdir(directory);
}

static void end(void)
{
	source_listing_clear(&listing);
	source_texts_destroy(texts);
	source_lines_clear(&lines);
	scene_run_clear(&scene);
}

static const char *name_of(size_t routine)
{
	return names_routine(run->names, routine)->name;
}

/* Rows are in order; a text is that of its line, and stands there once. */
static void check_rows(const struct source_block *block)
{
	char text[32];

	for (size_t i = 0; i < block->count; i++) {
		const struct source_row *row = &block->rows[i];
		bool is_further = i && block->rows[i - 1].line == row->line;

		ck_assert(!i || block->rows[i - 1].line <= row->line);
		ck_assert(!is_further || row->figures);
		snprintf(text, sizeof text, "line %u", row->line);
		if (is_further || !row->line)
			ck_assert_ptr_null(row->text);
		else
			ck_assert_str_eq(row->text, text);
		if (row->figures)
			ck_assert_uint_eq(row->figures->line, row->line);
	}
}

static bool is_shown(const struct source_block *block, unsigned line)
{
	for (size_t i = 0; i < block->count; i++)
		if (block->rows[i].line == line)
			return true;
	return false;
}

/* Each line with figures has a row with them, and two lines on either side. */
static void check_figures(const struct source_block *block, size_t routine)
{
	size_t shown = 0, known = 0;

	for (size_t i = 0; i < block->count; i++)
		shown += block->rows[i].figures != NULL;
	for (size_t i = 0; i < lines.count; i++) {
		unsigned line = (unsigned)lines.rows[i].line;

		if (lines.rows[i].routine != routine)
			continue;
		known++;
		for (unsigned near = line > 2 ? line - 2 : 1; line && near <= line + 2; near++)
			ck_assert_msg(is_shown(block, near), "line %u, near %u", near, line);
	}
	ck_assert_uint_eq(shown, known);
}

START_TEST(a_routine_has_its_lines_and_what_is_around_them)
{
	begin(&(struct source_query){.routine = "serial"});
	ck_assert_uint_eq(listing.count, 1);
	ck_assert_str_eq(name_of(listing.blocks[0].routine), "serial");
	check_rows(&listing.blocks[0]);
	check_figures(&listing.blocks[0], listing.blocks[0].routine);
	ck_assert(is_shown(&listing.blocks[0], 0x0f));
	ck_assert(!is_shown(&listing.blocks[0], 0x0f + 20));
	end();
}
END_TEST

/* What is shown of the file is all of it that has figures. */
START_TEST(a_file_has_the_lines_of_all_routines)
{
	begin(&(struct source_query){.file = "program.c"});
	ck_assert_uint_eq(listing.count, 1);
	ck_assert_uint_eq(listing.blocks[0].routine, SOURCE_ALL_ROUTINES);
	check_rows(&listing.blocks[0]);
	for (size_t i = 0; i < lines.count; i++) {
		const struct routine *routine = names_routine(run->names, lines.rows[i].routine);

		if (routine->file && !strcmp(routine->file, "/src/program.c"))
			ck_assert(is_shown(&listing.blocks[0], (unsigned)lines.rows[i].line));
	}
	end();
}
END_TEST

START_TEST(a_line_has_its_neighbours)
{
	begin(&(struct source_query){.file = "/src/program.c", .line = 0x0f});
	ck_assert_uint_eq(listing.count, 1);
	check_rows(&listing.blocks[0]);
	ck_assert(is_shown(&listing.blocks[0], 0x0f));
	for (size_t i = 0; i < listing.blocks[0].count; i++)
		ck_assert_uint_le(listing.blocks[0].rows[i].line, 0x0f + 8 + 2);
	end();
}
END_TEST

static size_t count_of(const char *routine, const char *file)
{
	struct source_query query = {.routine = routine, .file = file};
	struct source_listing found = source_listing_of(run, &lines, &query, NULL);
	size_t count = found.count;

	source_listing_clear(&found);
	return count;
}

START_TEST(names_may_be_ends_of_names)
{
	begin(&(struct source_query){.most = 3});
	ck_assert_uint_eq(count_of("serial", NULL), 1);
	ck_assert_uint_eq(count_of("serial", "program.c"), 1);
	ck_assert_uint_eq(count_of("serial", "other.c"), 0);
	ck_assert_uint_eq(count_of("seria", NULL), 0);
	ck_assert_uint_eq(count_of("erial", NULL), 0);
	ck_assert_uint_eq(count_of("", NULL), 0);
	ck_assert_uint_eq(count_of(NULL, "rogram.c"), 0);
	ck_assert_uint_eq(count_of(NULL, "src/program.c"), 1);
	ck_assert_uint_eq(count_of(NULL, "/src/program.c/"), 0);
	end();
}
END_TEST

START_TEST(without_a_question_the_hottest_routines_come)
{
	begin(&(struct source_query){.most = 2});
	ck_assert_uint_le(listing.count, 2);
	ck_assert_uint_ge(listing.count, 1);
	for (size_t i = 0; i < listing.count; i++) {
		check_rows(&listing.blocks[i]);
		check_figures(&listing.blocks[i], listing.blocks[i].routine);
	}
	end();
}
END_TEST

UNIT_MAIN("source listing", a_routine_has_its_lines_and_what_is_around_them,
	  a_file_has_the_lines_of_all_routines, a_line_has_its_neighbours,
	  names_may_be_ends_of_names, without_a_question_the_hottest_routines_come)
