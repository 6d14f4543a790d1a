/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/print/text_table.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_wrap.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT        2
#define GAP           2
#define DETAIL_INDENT 6
#define DETAIL_LINES  2
#define FLEXIBLE_MIN  12
#define CELL_MIN      3

struct detail {
	size_t row;
	char *line;
};

/* Of a column whose cells were weighed. */
struct weight {
	double sum;
	bool is_figure, is_time, is_zero;
};

struct text_table {
	const struct text_column *columns;
	size_t column_count;
	char **cells;
	size_t cell_count, cell_capacity;
	double *amounts; /* of the cells; NAN: none, or unknown */
	size_t amount_capacity;
	struct detail *details;
	size_t detail_count, detail_capacity;
	struct weight *weights;
	unsigned *widths;      /* 0: left out */
	unsigned *left_out;    /* what the width was of columns for which there was no room */
	unsigned *from_widths; /* of tables that have the columns at all */
	bool is_quiet;
};

struct text_table *text_table_create(const struct text_column *columns, size_t count)
{
	struct text_table *table = memory_allocate(1, sizeof *table);

	table->columns = columns;
	table->column_count = count;
	table->weights = memory_allocate(count, sizeof *table->weights);
	table->widths = memory_allocate(count, sizeof *table->widths);
	table->left_out = memory_allocate(count, sizeof *table->left_out);
	table->from_widths = memory_allocate(count, sizeof *table->from_widths);
	return table;
}

void text_table_add(struct text_table *table, char *cell)
{
	table->cells = memory_grow(table->cells, table->cell_count, &table->cell_capacity,
				   sizeof *table->cells);
	table->amounts = memory_grow(table->amounts, table->cell_count, &table->amount_capacity,
				     sizeof *table->amounts);
	table->amounts[table->cell_count] = NAN;
	table->cells[table->cell_count++] = cell;
}

/* The column of the cell that was added last. */
static size_t last_column(const struct text_table *table)
{
	return (table->cell_count - 1) % table->column_count;
}

void text_table_hold_back(struct text_table *table, unsigned from_width)
{
	table->from_widths[last_column(table)] = from_width;
}

void text_table_weigh(struct text_table *table, double amount, bool is_time)
{
	struct weight *weight = &table->weights[last_column(table)];

	table->amounts[table->cell_count - 1] = amount;
	weight->is_zero = amount == 0 && (weight->is_zero || !weight->is_figure);
	weight->is_figure = true;
	weight->is_time |= is_time;
	weight->sum += isnan(amount) ? 0 : amount;
}

void text_table_add_detail(struct text_table *table, char *line)
{
	table->details = memory_grow(table->details, table->detail_count, &table->detail_capacity,
				     sizeof *table->details);
	table->details[table->detail_count++] =
		(struct detail){.row = table->cell_count / table->column_count - 1, .line = line};
}

void text_table_be_quiet(struct text_table *table)
{
	table->is_quiet = true;
}

/* ---- order */

struct sorting {
	const struct text_table *table;
	size_t column;
};

/* By amount, or by text; of what is equal, what came first. */
static int compare_rows(const void *left, const void *right, void *data)
{
	const struct sorting *sorting = data;
	const struct text_table *table = sorting->table;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	size_t a_cell = a * table->column_count + sorting->column,
	       b_cell = b * table->column_count + sorting->column;
	double x = table->amounts[a_cell], y = table->amounts[b_cell];
	int order = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x < y) - (x > y);

	if (!table->weights[sorting->column].is_figure)
		order = strcmp(table->cells[a_cell], table->cells[b_cell]);
	return order ? order : (a > b) - (a < b);
}

/* The details of a row keep their order. */
static void move_details(struct text_table *table, const size_t *order, size_t rows)
{
	struct detail *moved = memory_allocate(table->detail_count, sizeof *moved);
	size_t count = 0;

	for (size_t row = 0; row < rows; row++)
		for (size_t i = 0; i < table->detail_count; i++)
			if (table->details[i].row == order[row])
				moved[count++] = (struct detail){row, table->details[i].line};
	free(table->details);
	table->details = moved;
	table->detail_capacity = table->detail_count;
}

void text_table_sort(struct text_table *table, size_t column)
{
	size_t rows = table->cell_count / table->column_count, columns = table->column_count;
	size_t *order = memory_allocate(rows, sizeof *order);
	char **cells = memory_allocate(table->cell_count, sizeof *cells);
	struct sorting sorting = {table, column};

	for (size_t i = 0; i < rows; i++)
		order[i] = i;
	qsort_r(order, rows, sizeof *order, compare_rows, &sorting);
	for (size_t i = 0; i < rows; i++)
		memcpy(cells + i * columns, table->cells + order[i] * columns,
		       columns * sizeof *cells);
	move_details(table, order, rows);
	free(table->cells);
	free(order);
	table->cells = cells;
	table->cell_capacity = table->cell_count;
}

size_t text_table_cut(struct text_table *table, size_t rows)
{
	size_t all = table->cell_count / table->column_count;

	if (all <= rows)
		return 0;
	while (table->detail_count && table->details[table->detail_count - 1].row >= rows)
		free(table->details[--table->detail_count].line);
	while (table->cell_count > rows * table->column_count)
		free(table->cells[--table->cell_count]);
	return all - rows;
}

/* ---- widths */

static void measure(struct text_table *table)
{
	for (size_t i = 0; i < table->cell_count; i++) {
		unsigned columns = text_columns(table->cells[i]);
		unsigned *width = &table->widths[i % table->column_count];

		*width = columns > *width ? columns : *width;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		unsigned title = text_columns(table->columns[i].title);

		if (table->widths[i] && title > table->widths[i])
			table->widths[i] = title;
	}
}

static bool is_right(enum text_align align)
{
	return align == TEXT_RIGHT || align == TEXT_SPARE || align == TEXT_LEAST;
}

/* Columns of a line in which flexible columns have so many at most. */
static unsigned columns_used(const struct text_table *table, const unsigned *widths, unsigned most)
{
	unsigned used = INDENT;

	for (size_t i = 0; i < table->column_count; i++) {
		bool is_cut = table->columns[i].align == TEXT_FLEXIBLE && widths[i] > most;

		if (widths[i])
			used += (is_cut ? most : widths[i]) + (used > INDENT ? GAP : 0);
	}
	return used;
}

/* In this order. */
enum leaving { LEAVES_ZEROS, LEAVES_LEAST, LEAVES_SPARE, LEAVES_ANY, LEAVING_COUNT };

static bool may_leave(const struct text_table *table, size_t column, enum leaving leaving)
{
	enum text_align align = table->columns[column].align;

	if (!table->widths[column] || !is_right(align))
		return false;
	switch (leaving) {
	case LEAVES_ZEROS:
		return table->weights[column].is_zero;
	case LEAVES_LEAST:
		return align == TEXT_LEAST;
	case LEAVES_SPARE:
		return align == TEXT_SPARE;
	default:
		return true;
	}
}

/* The last one of these columns; if that is a time, the one with the least time. column_count:
 * there is none. The first column of a table says what its rows are, and stays. */
static size_t last_of(const struct text_table *table, enum leaving leaving, size_t first)
{
	const struct weight *weights = table->weights;
	size_t found = table->column_count;

	for (size_t i = table->column_count; i-- > first + 1;) {
		if (!may_leave(table, i, leaving))
			continue;
		if (found == table->column_count)
			found = i;
		else if (weights[found].is_time && weights[i].is_time &&
			 weights[i].sum < weights[found].sum)
			found = i;
	}
	return found;
}

/* The next column to leave out; column_count: none is left. */
static size_t next_to_leave(const struct text_table *table)
{
	size_t first = 0, next = table->column_count;

	while (first < table->column_count && !table->widths[first])
		first++;
	for (enum leaving leaving = 0; leaving < LEAVING_COUNT && next == table->column_count;
	     leaving++)
		next = last_of(table, leaving, first);
	return next;
}

static void leave_out_column(struct text_table *table, size_t column)
{
	table->left_out[column] = table->widths[column];
	table->widths[column] = 0;
}

static void leave_out(struct text_table *table, unsigned width)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->widths[i] && table->from_widths[i] > width)
			leave_out_column(table, i);
	while (columns_used(table, table->widths, FLEXIBLE_MIN) > width) {
		size_t next = next_to_leave(table);

		if (next == table->column_count)
			return;
		leave_out_column(table, next);
	}
}

/* The least width in which no column is left out. */
static unsigned width_of_all(const struct text_table *table)
{
	unsigned all[table->column_count], least = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		all[i] = table->widths[i] + table->left_out[i];
		if (all[i] && table->from_widths[i] > least)
			least = table->from_widths[i];
	}
	unsigned used = columns_used(table, all, FLEXIBLE_MIN);

	return used > least ? used : least;
}

/* Narrows columns of texts, the widest first: flexible ones, and if need be all. */
static void narrow(struct text_table *table, unsigned width, bool is_any, unsigned least)
{
	for (unsigned used = columns_used(table, table->widths, UINT_MAX); used > width; used--) {
		size_t widest = table->column_count;

		for (size_t i = 0; i < table->column_count; i++)
			if ((is_any || table->columns[i].align == TEXT_FLEXIBLE) &&
			    table->widths[i] > least &&
			    (widest == table->column_count ||
			     table->widths[i] > table->widths[widest]))
				widest = i;
		if (widest == table->column_count)
			return;
		table->widths[widest]--;
	}
}

static void shrink(struct text_table *table, unsigned width)
{
	leave_out(table, width);
	narrow(table, width, false, FLEXIBLE_MIN);
	narrow(table, width, true, CELL_MIN);
}

/* Prints a cell after *blanks; no line ends with blanks, so those behind it are left for the next
 * one. */
static void print_cell(FILE *out, const char *cell, unsigned width, enum text_align align,
		       unsigned *blanks, bool is_utf8)
{
	char *fitted = text_fit(cell, width, is_utf8);
	unsigned fill = width - text_columns(fitted);
	unsigned before = *blanks + (is_right(align) ? fill : 0);

	if (*fitted) {
		fprintf(out, "%*s%s", (int)before, "", fitted);
		*blanks = is_right(align) ? 0 : fill;
	} else {
		*blanks += width;
	}
	free(fitted);
}

static void print_row(const struct text_table *table, FILE *out, char *const *cells, bool is_utf8)
{
	unsigned blanks = 0;
	bool is_first = true;

	for (size_t i = 0; i < table->column_count; i++) {
		const char *cell = cells ? cells[i] : table->columns[i].title;

		if (!table->widths[i])
			continue;
		blanks += is_first ? INDENT : GAP;
		print_cell(out, cell, table->widths[i], table->columns[i].align, &blanks, is_utf8);
		is_first = false;
	}
	fputc('\n', out);
}

static void print_detail(FILE *out, const char *text, unsigned width, bool is_utf8)
{
	unsigned room = width > 2 * DETAIL_INDENT ? width - DETAIL_INDENT : DETAIL_INDENT;
	char *shown = text_fit(text, DETAIL_LINES * room - DETAIL_INDENT, is_utf8);
	char *indent = memory_print("%*s", DETAIL_INDENT, "");

	text_wrap(out, width, is_utf8, indent, shown);
	free(indent);
	free(shown);
}

/* "  (for lack of width without: alone, average; --width 104 shows all)" */
static void say_what_is_left_out(const struct text_table *table, FILE *out, unsigned width,
				 bool is_utf8)
{
	char *names = NULL;

	for (size_t i = 0; i < table->column_count; i++) {
		if (!table->left_out[i] || !*table->columns[i].title)
			continue;
		char *longer = memory_print("%s%s%s", names ? names : "", names ? ", " : "",
					    table->columns[i].title);

		free(names);
		names = longer;
	}
	if (!names)
		return;
	char *text = memory_print("(for lack of width without: %s; --width %u shows all)", names,
				  width_of_all(table));

	text_wrap(out, width, is_utf8, "  ", text);
	free(text);
	free(names);
}

struct text_span text_table_span(struct text_table *table, size_t column, unsigned width)
{
	struct text_span span = {0};

	measure(table);
	shrink(table, width);
	for (size_t i = 0; i < column; i++)
		if (table->widths[i])
			span.at += table->widths[i] + (span.at ? GAP : INDENT);
	span.width = table->widths[column];
	span.at += span.at ? GAP : INDENT;
	return span;
}

static void destroy(struct text_table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	for (size_t i = 0; i < table->detail_count; i++)
		free(table->details[i].line);
	free(table->cells);
	free(table->amounts);
	free(table->details);
	free(table->weights);
	free(table->widths);
	free(table->left_out);
	free(table->from_widths);
	free(table);
}

void text_table_print(struct text_table *table, FILE *out, unsigned width, bool is_utf8)
{
	size_t detail = 0;

	if (!table->cell_count) {
		fputs("  none\n", out);
		destroy(table);
		return;
	}
	measure(table);
	shrink(table, width);
	print_row(table, out, NULL, is_utf8);
	for (size_t row = 0; row * table->column_count < table->cell_count; row++) {
		print_row(table, out, table->cells + row * table->column_count, is_utf8);
		for (; detail < table->detail_count && table->details[detail].row == row; detail++)
			print_detail(out, table->details[detail].line, width, is_utf8);
	}
	if (!table->is_quiet)
		say_what_is_left_out(table, out, width, is_utf8);
	destroy(table);
}
