/* SPDX-License-Identifier: MIT */
#include "analyze/print/text_table.h"

#include "analyze/base/memory.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>

#define INDENT        2
#define GAP           2
#define DETAIL_INDENT 6
#define FLEXIBLE_MIN  12

struct detail {
	size_t row;
	char *line;
};

struct text_table {
	const struct text_column *columns;
	size_t column_count;
	char **cells;
	size_t cell_count, cell_capacity;
	struct detail *details;
	size_t detail_count, detail_capacity;
	unsigned *widths; /* 0: left out */
};

struct text_table *text_table_create(const struct text_column *columns, size_t count)
{
	struct text_table *table = memory_allocate(1, sizeof *table);

	table->columns = columns;
	table->column_count = count;
	table->widths = memory_allocate(count, sizeof *table->widths);
	return table;
}

void text_table_add(struct text_table *table, char *cell)
{
	table->cells = memory_grow(table->cells, table->cell_count, &table->cell_capacity,
				   sizeof *table->cells);
	table->cells[table->cell_count++] = cell;
}

void text_table_add_detail(struct text_table *table, char *line)
{
	table->details = memory_grow(table->details, table->detail_count, &table->detail_capacity,
				     sizeof *table->details);
	table->details[table->detail_count++] =
		(struct detail){.row = table->cell_count / table->column_count - 1, .line = line};
}

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

/* Narrows the flexible columns, the widest first. */
static void shrink(struct text_table *table, unsigned width)
{
	unsigned used = INDENT;

	for (size_t i = 0; i < table->column_count; i++)
		used += table->widths[i] ? table->widths[i] + (used > INDENT ? GAP : 0) : 0;
	while (used > width) {
		size_t widest = table->column_count;

		for (size_t i = 0; i < table->column_count; i++)
			if (table->columns[i].align == TEXT_FLEXIBLE &&
			    table->widths[i] > FLEXIBLE_MIN &&
			    (widest == table->column_count ||
			     table->widths[i] > table->widths[widest]))
				widest = i;
		if (widest == table->column_count)
			return;
		table->widths[widest]--;
		used--;
	}
}

static void print_cell(FILE *out, const char *cell, unsigned width, enum text_align align,
		       bool is_last, bool is_utf8)
{
	char *fitted = text_fit(cell, width, is_utf8);
	unsigned fill = width - text_columns(fitted);

	if (align == TEXT_RIGHT)
		fprintf(out, "%*s%s", (int)fill, "", fitted);
	else
		fprintf(out, "%s%*s", fitted, is_last ? 0 : (int)fill, "");
	free(fitted);
}

static size_t last_column(const struct text_table *table)
{
	size_t last = table->column_count;

	while (last && !table->widths[last - 1])
		last--;
	return last;
}

static void print_row(const struct text_table *table, FILE *out, char *const *cells, bool is_utf8)
{
	size_t last = last_column(table);
	bool is_first = true;

	for (size_t i = 0; i < last; i++) {
		const char *cell = cells ? cells[i] : table->columns[i].title;

		if (!table->widths[i])
			continue;
		fprintf(out, "%*s", is_first ? INDENT : GAP, "");
		print_cell(out, cell, table->widths[i], table->columns[i].align, i + 1 == last,
			   is_utf8);
		is_first = false;
	}
	fputc('\n', out);
}

static void destroy(struct text_table *table)
{
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i]);
	for (size_t i = 0; i < table->detail_count; i++)
		free(table->details[i].line);
	free(table->cells);
	free(table->details);
	free(table->widths);
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
		for (; detail < table->detail_count && table->details[detail].row == row;
		     detail++) {
			char *line = text_fit(table->details[detail].line, width - DETAIL_INDENT,
					      is_utf8);

			fprintf(out, "%*s%s\n", DETAIL_INDENT, "", line);
			free(line);
		}
	}
	destroy(table);
}
