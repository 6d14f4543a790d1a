/* SPDX-License-Identifier: MIT */
/* Tables, paragraphs and titles within a width. */
#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/print/text_wrap.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for five of six columns of 5, with gaps of 2. */
#define INDENT_AND_FIVE (2 + 5 * 5 + 4 * 2)

static char *text;
static size_t bytes;

static FILE *start(void)
{
	return open_memstream(&text, &bytes);
}

static void expect_printed(FILE *out, const char *wanted)
{
	fclose(out);
	ck_assert_str_eq(text, wanted);
	free(text);
}

static const struct text_column columns[] = {
	{"self", TEXT_RIGHT}, {"error", TEXT_SPARE},      {"total", TEXT_RIGHT},
	{"kind", TEXT_LEFT},  {"routine", TEXT_FLEXIBLE},
};

static struct text_table *table_of_two(void)
{
	static const char *const cells[] = {
		"1.00 s", "9 %",    "2.00 s", "own", "multiply_matrices",
		"20 ms",  "12.5 %", "",       "",    ""};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		text_table_add(table, memory_copy_text(cells[i]));
	return table;
}

START_TEST(columns_line_up_and_no_line_ends_with_blanks)
{
	FILE *out = start();

	text_table_print(table_of_two(), out, 60, true);
	expect_printed(out, "    self   error   total  kind  routine\n"
			    "  1.00 s     9 %  2.00 s  own   multiply_matrices\n"
			    "   20 ms  12.5 %\n");
}
END_TEST

START_TEST(texts_are_cut_before_columns_are_left_out)
{
	FILE *out = start();

	text_table_print(table_of_two(), out, 45, true);
	expect_printed(out, "    self   error   total  kind  routine\n"
			    "  1.00 s     9 %  2.00 s  own   multiply_mat…\n"
			    "   20 ms  12.5 %\n");
}
END_TEST

/* The width that is named is enough, and one less is not. */
START_TEST(what_is_left_out_is_said)
{
	FILE *out = start();

	text_table_print(table_of_two(), out, 40, true);
	expect_printed(out, "    self   total  kind  routine\n"
			    "  1.00 s  2.00 s  own   multiply_matric…\n"
			    "   20 ms\n"
			    "  (for lack of width without: error;\n"
			    "  --width 44 shows all)\n");
	out = start();
	text_table_print(table_of_two(), out, 43, true);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "without: error"));
	free(text);
	out = start();
	text_table_print(table_of_two(), out, 44, true);
	fclose(out);
	ck_assert_ptr_null(strstr(text, "without"));
	free(text);
}
END_TEST

/* It is enough for columns of wide tables only, too; sorting by one of them needs no room. */
START_TEST(columns_of_wide_tables_are_left_out_and_said)
{
	static const struct text_column two[] = {{"name", TEXT_LEFT}, {"share", TEXT_SPARE}};
	static const char *const cells[] = {"one", "1 %", "two", "2 %"};

	for (unsigned width = 89; width <= 90; width++) {
		FILE *out = start();
		struct text_table *table = text_table_create(two, 2);

		for (size_t i = 0; i < 4; i++) {
			text_table_add(table, memory_copy_text(cells[i]));
			if (i % 2) {
				text_table_hold_back(table, 90);
				text_table_weigh(table, (double)i, false);
			}
		}
		text_table_sort(table, 1);
		text_table_print(table, out, width, true);
		expect_printed(out, width < 90 ? "  name\n  two\n  one\n"
						 "  (for lack of width without: share; --width 90 "
						 "shows all)\n"
					       : "  name  share\n  two     2 %\n  one     1 %\n");
	}
}
END_TEST

/* Prints columns of 5, one row of them with these amounts, so that one column has no room. */
static void expect_left_out(const double *amounts, const char *wanted)
{
	static const struct text_column all[] = {{"name", TEXT_LEFT},   {"waits", TEXT_RIGHT},
						 {"tid", TEXT_LEAST},   {"user", TEXT_SPARE},
						 {"ready", TEXT_SPARE}, {"other", TEXT_SPARE}};
	const size_t count = sizeof all / sizeof *all;
	struct text_table *table = text_table_create(all, count);
	FILE *out = start();

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, memory_copy_text("12345"));
		if (i)
			text_table_weigh(table, amounts[i - 1], i > 2);
	}
	text_table_print(table, out, INDENT_AND_FIVE, true);
	fclose(out);
	ck_assert_msg(strstr(text, wanted), "%s", text);
	free(text);
}

START_TEST(what_says_least_is_left_out_first)
{
	expect_left_out((double[]){3, 77, 0, 20, 30}, "user;");
	expect_left_out((double[]){0, 77, 10, 20, 30}, "waits;");
	expect_left_out((double[]){3, 77, 10, 20, 30}, "tid;");
	expect_left_out((double[]){NAN, 77, 10, 20, 30}, "tid;");
}
END_TEST

START_TEST(no_table_is_wider_than_it_may_be)
{
	for (unsigned width = 20; width < 60; width++) {
		FILE *out = start();
		struct text_table *table = table_of_two();

		text_table_add_detail(
			table,
			memory_copy_text("waits: 100 % multiply_matrices (source_of_it.c:12); "
					 "by: 90 % somebody_else (source_of_it.c:34)"));
		text_table_print(table, out, width, true);
		fclose(out);
		for (char *rest = NULL, *line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			ck_assert_msg(text_columns(line) <= width, "%u: %s", width, line);
		free(text);
	}
}
END_TEST

START_TEST(a_figure_keeps_its_unit)
{
	FILE *out = start();

	text_wrap(out, 22, true, "  ", "the whole took 1.25 s, half of it");
	expect_printed(out, "  the whole took\n  1.25 s, half of it\n");
	out = start();
	text_wrap(out, 22, true, "  ", "there were 12345 samples");
	expect_printed(out, "  there were 12345\n  samples\n");
}
END_TEST

START_TEST(long_words_are_broken_between_their_parts)
{
	FILE *out = start();

	text_wrap(out, 20, true, "  ", "/home/somebody/projects/long/run");
	expect_printed(out, "  /home/somebody/\n  projects/long/run\n");
	out = start();
	text_wrap(out, 20, true, "", "aaaaaaaaaaaaaaaaaaaaaaaaa");
	expect_printed(out, "aaaaaaaaaaaaaaaaaaaa\naaaaa\n");
}
END_TEST

START_TEST(titles_wrap_below_their_name)
{
	FILE *out = start();

	text_wrap_title(out, 30, false, "threads", "lifetime = user + system + ready");
	expect_printed(out, "@ threads: lifetime = user +\n    system + ready\n");
	out = start();
	text_wrap_title(out, 80, true, "threads", "lifetimes");
	expect_printed(out, "\033[1m@ threads:\033[0m lifetimes\n");
}
END_TEST

/* Rows of a name and an amount; NAN has none. */
static struct text_table *table_of_amounts(void)
{
	static const struct text_column of_both[] = {{"name", TEXT_LEFT}, {"amount", TEXT_RIGHT}};
	static const struct {
		const char *name, *shown;
		double amount;
	} rows[] = {{"b", "1", 1}, {"d", "?", NAN}, {"a", "20", 20}, {"c", "1", 1}};
	struct text_table *table = text_table_create(of_both, 2);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		text_table_add(table, memory_copy_text(rows[i].name));
		text_table_add(table, memory_copy_text(rows[i].shown));
		text_table_weigh(table, rows[i].amount, false);
		text_table_add_detail(table, memory_print("of %s", rows[i].name));
	}
	return table;
}

START_TEST(rows_are_sorted_with_their_details)
{
	struct text_table *table = table_of_amounts();
	FILE *out = start();

	text_table_sort(table, 1);
	ck_assert_uint_eq(text_table_cut(table, 3), 1);
	ck_assert_uint_eq(text_table_cut(table, 3), 0);
	text_table_print(table, out, 40, true);
	expect_printed(out, "  name  amount\n"
			    "  a         20\n      of a\n"
			    "  b          1\n      of b\n"
			    "  c          1\n      of c\n");
	out = start();
	table = table_of_amounts();
	text_table_sort(table, 0);
	text_table_print(table, out, 40, true);
	expect_printed(out, "  name  amount\n"
			    "  a         20\n      of a\n"
			    "  b          1\n      of b\n"
			    "  c          1\n      of c\n"
			    "  d          ?\n      of d\n");
}
END_TEST

UNIT_MAIN("text_table", rows_are_sorted_with_their_details,
	  columns_line_up_and_no_line_ends_with_blanks, texts_are_cut_before_columns_are_left_out,
	  what_is_left_out_is_said, columns_of_wide_tables_are_left_out_and_said,
	  what_says_least_is_left_out_first, no_table_is_wider_than_it_may_be,
	  a_figure_keeps_its_unit, long_words_are_broken_between_their_parts,
	  titles_wrap_below_their_name)
