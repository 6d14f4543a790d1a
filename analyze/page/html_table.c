/* SPDX-License-Identifier: MIT */
#include "analyze/page/html_table.h"

#include "analyze/base/memory.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_svg.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LONG_WORD  12 /* of a title: it may be broken */
#define SHORT_TEXT 16 /* a column whose texts are not longer breaks none */
#define DENSE      10 /* columns, from which on the table is set closer */

struct cell {
	char *text, *value, *title, *anchor, *id;
	const char *class;
	double share; /* NAN: none */
	bool is_heat; /* the share is a colour, not a bar */
};

struct detail {
	size_t row;
	char *text, *anchor;
	bool is_further; /* of the paragraph of the one before */
};

struct html_table {
	const char *caption;
	struct html_column *columns;
	size_t column_count;
	struct cell *cells;
	size_t cell_count, cell_capacity;
	struct detail *details;
	size_t detail_count, detail_capacity;
	bool *is_shown;   /* of columns */
	unsigned *widths; /* of columns: of their longest text */
};

struct html_table *html_table_create(const char *caption, const struct html_column *columns,
				     size_t count)
{
	struct html_table *table = memory_allocate(1, sizeof *table);

	table->caption = caption;
	table->columns = memory_allocate(count, sizeof *columns);
	memcpy(table->columns, columns, count * sizeof *columns);
	table->column_count = count;
	table->is_shown = memory_allocate(count, sizeof *table->is_shown);
	table->widths = memory_allocate(count, sizeof *table->widths);
	return table;
}

void html_table_add(struct html_table *table, char *text)
{
	table->cells = memory_grow(table->cells, table->cell_count, &table->cell_capacity,
				   sizeof *table->cells);
	size_t column = table->cell_count % table->column_count;
	unsigned width = text_columns(text);

	table->is_shown[column] |= *text != 0;
	if (width > table->widths[column])
		table->widths[column] = width;
	table->cells[table->cell_count++] = (struct cell){.text = text, .share = NAN};
}

static struct cell *last_cell(struct html_table *table)
{
	return &table->cells[table->cell_count - 1];
}

void html_table_set_value(struct html_table *table, char *value)
{
	last_cell(table)->value = value;
}

void html_table_set_title(struct html_table *table, char *title)
{
	last_cell(table)->title = title;
}

void html_table_set_share(struct html_table *table, double share)
{
	last_cell(table)->share = share;
}

void html_table_set_heat(struct html_table *table, double heat)
{
	last_cell(table)->share = heat;
	last_cell(table)->is_heat = true;
}

void html_table_set_class(struct html_table *table, const char *class)
{
	last_cell(table)->class = class;
}

void html_table_set_anchor(struct html_table *table, char *anchor)
{
	last_cell(table)->anchor = anchor;
}

void html_table_set_id(struct html_table *table, char *id)
{
	last_cell(table)->id = id;
}

static struct detail *add_detail(struct html_table *table, char *text)
{
	table->details = memory_grow(table->details, table->detail_count, &table->detail_capacity,
				     sizeof *table->details);
	struct detail *detail = &table->details[table->detail_count++];

	*detail = (struct detail){.row = table->cell_count / table->column_count - 1, .text = text};
	return detail;
}

void html_table_add_detail(struct html_table *table, char *text)
{
	add_detail(table, text);
}

void html_table_continue_detail(struct html_table *table, char *text, char *anchor)
{
	struct detail *detail = add_detail(table, text);

	detail->anchor = anchor;
	detail->is_further = true;
}

/* ---- printing */

static const char *align_class(const struct html_column *column)
{
	return column->align == HTML_RIGHT ? "n" : NULL;
}

/* Of cells of text: short ones stay whole, others share the width that is left. */
static const char *wrap_class(const struct html_table *table, size_t column)
{
	if (table->columns[column].align == HTML_RIGHT)
		return NULL;
	return table->widths[column] <= SHORT_TEXT ? "s" : "w";
}

/* Has the title a word that is longer than figures are, as names of events are? */
static bool has_long_word(const char *title)
{
	for (; *title; title += strcspn(title, " "), title += *title == ' ')
		if (strcspn(title, " ") > LONG_WORD)
			return true;
	return false;
}

static void print_head(const struct html_table *table, FILE *out)
{
	fputs("<thead><tr>", out);
	for (size_t i = 0; i < table->column_count; i++) {
		const char *align = align_class(&table->columns[i]);
		bool is_long = has_long_word(table->columns[i].title);

		if (!table->is_shown[i])
			continue;
		fputs("<th scope=\"col\"", out);
		if (align || is_long)
			fprintf(out, " class=\"%s%s%s\"", align ? align : "",
				align && is_long ? " " : "", is_long ? "long" : "");
		fputc('>', out);
		html_text(out, table->columns[i].title);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n", out);
}

/* The classes of a cell: what it is made of, and what was set. */
static void print_classes(const struct html_table *table, FILE *out, const struct cell *cell,
			  size_t column)
{
	const char *fill = !isfinite(cell->share) ? NULL : cell->is_heat ? "heat" : "bar";
	const char *words[] = {align_class(&table->columns[column]), wrap_class(table, column),
			       fill, cell->class};
	const char *before = " class=\"";

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i]) {
			fprintf(out, "%s%s", before, words[i]);
			before = " ";
		}
	if (*before == ' ' && !before[1])
		fputc('"', out);
}

static void print_share(FILE *out, double share)
{
	fputs(" style=\"--s:", out);
	html_svg_number(out, 100 * fmax(0, fmin(1, share)));
	fputs("%\"", out);
}

static void print_cell(const struct html_table *table, FILE *out, const struct cell *cell,
		       size_t column, bool is_head)
{
	const char *tag = is_head ? "th" : "td";

	fprintf(out, "<%s%s", tag, is_head ? " scope=\"row\"" : "");
	print_classes(table, out, cell, column);
	if (cell->value)
		html_attribute(out, "data-v", cell->value);
	if (cell->title)
		html_attribute(out, "title", cell->title);
	if (isfinite(cell->share))
		print_share(out, cell->share);
	fputc('>', out);
	html_anchored(out, cell->anchor, cell->text);
	fprintf(out, "</%s>", tag);
}

static const char *id_of(const struct html_table *table, const struct cell *cells)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (cells[i].id)
			return cells[i].id;
	return NULL;
}

static void print_row(const struct html_table *table, FILE *out, const struct cell *cells)
{
	const char *id = id_of(table, cells);
	bool is_first = true;

	fputs("<tr", out);
	if (id)
		html_attribute(out, "id", id);
	fputc('>', out);
	for (size_t i = 0; i < table->column_count; i++) {
		if (!table->is_shown[i])
			continue;
		print_cell(table, out, &cells[i], i, is_first);
		is_first = false;
	}
	fputs("</tr>\n", out);
}

static bool is_paragraph_of(const struct html_table *table, size_t detail, size_t row)
{
	return detail < table->detail_count && table->details[detail].row == row;
}

static size_t count_shown(const struct html_table *table)
{
	size_t shown = 0;

	for (size_t i = 0; i < table->column_count; i++)
		shown += table->is_shown[i];
	return shown;
}

/* The paragraphs of a row; returns the number of the first detail of another row. */
static size_t print_details(const struct html_table *table, FILE *out, size_t detail, size_t row)
{
	size_t shown = count_shown(table);

	while (is_paragraph_of(table, detail, row)) {
		fprintf(out, "<tr class=\"detail\"><td colspan=\"%zu\">", shown);
		do {
			html_anchored(out, table->details[detail].anchor,
				      table->details[detail].text);
			detail++;
		} while (is_paragraph_of(table, detail, row) && table->details[detail].is_further);
		fputs("</td></tr>\n", out);
	}
	return detail;
}

static void print_rows(const struct html_table *table, FILE *out)
{
	size_t detail = 0;

	fputs("<tbody>\n", out);
	for (size_t row = 0; row * table->column_count < table->cell_count; row++) {
		print_row(table, out, table->cells + row * table->column_count);
		detail = print_details(table, out, detail, row);
	}
	fputs("</tbody>\n", out);
}

static void destroy(struct html_table *table)
{
	for (size_t i = 0; i < table->cell_count; i++) {
		free(table->cells[i].text);
		free(table->cells[i].value);
		free(table->cells[i].title);
		free(table->cells[i].anchor);
		free(table->cells[i].id);
	}
	for (size_t i = 0; i < table->detail_count; i++) {
		free(table->details[i].text);
		free(table->details[i].anchor);
	}
	free(table->columns);
	free(table->cells);
	free(table->details);
	free(table->is_shown);
	free(table->widths);
	free(table);
}

void html_table_print(struct html_table *table, FILE *out)
{
	if (!table->cell_count) {
		fputs("<p class=\"none\">", out);
		html_text(out, table->caption);
		fputs(": none</p>\n", out);
		destroy(table);
		return;
	}
	/* a table wider than the page can be scrolled by keys as well */
	fprintf(out, "<div class=\"scroll\" style=\"--columns:%zu\" tabindex=\"0\" role=\"region\"",
		count_shown(table));
	html_attribute(out, "aria-label", table->caption);
	fprintf(out, ">\n<table%s>", count_shown(table) >= DENSE ? " class=\"dense\"" : "");
	html_element(out, "caption", NULL, table->caption);
	fputc('\n', out);
	print_head(table, out);
	print_rows(table, out);
	fputs("</table>\n</div>\n", out);
	destroy(table);
}
