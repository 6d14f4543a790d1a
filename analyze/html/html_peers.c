/* SPDX-License-Identifier: MIT */
/* Who sent how much to whom, as a map, and who waited for whom. */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/html/html_parts.h"
#include "analyze/html/html_sections.h"
#include "analyze/model/mpi/mpi_matrix.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <stdlib.h>

#define SIDE_MAX 64
#define CELL     8 /* of the map's own units */

/* "rank 3", "ranks 8 to 15" */
static char *block_text(const struct mpi_matrix *matrix, size_t block)
{
	unsigned long long first = block * matrix->ranks_a_cell;
	unsigned long long last = first + matrix->ranks_a_cell - 1;

	if (matrix->ranks_a_cell == 1)
		return memory_print("rank %llu", first);
	return memory_print("ranks %llu to %llu", first,
			    last < matrix->ranks ? last : (unsigned long long)matrix->ranks - 1);
}

static char *bytes_text(uint64_t bytes)
{
	return bytes ? text_size(bytes) : memory_copy_text("0 B");
}

static char *cell_title(const struct mpi_matrix *matrix, size_t row, size_t column)
{
	const struct mpi_cell *cell = &matrix->cells[row * matrix->side + column];
	char *from = block_text(matrix, row), *to = block_text(matrix, column);
	char *size = bytes_text(cell->bytes);
	char *wait = text_seconds((double)cell->wait_ns);
	char *title = memory_print("%s to %s\n%s in %s; waited for it: %s", from, to, size,
				   quantity_things((double)cell->messages, "message").text, wait);

	free(from);
	free(to);
	free(size);
	free(wait);
	return title;
}

static void print_cell(FILE *out, const struct mpi_matrix *matrix, size_t row, size_t column)
{
	const struct mpi_cell *cell = &matrix->cells[row * matrix->side + column];
	double share = matrix->most.bytes ? (double)cell->bytes / (double)matrix->most.bytes : 0;
	char *title;

	if (!cell->messages && !cell->wait_ns)
		return;
	title = cell_title(matrix, row, column);
	fprintf(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill-opacity=\"",
		column * CELL, row * CELL, CELL, CELL);
	html_svg_number(out, 0.08 + 0.92 * share);
	fputs("\">", out);
	html_element(out, "title", NULL, title);
	fputs("</rect>\n", out);
	free(title);
}

static void print_caption(FILE *out, const struct mpi_matrix *matrix)
{
	char *most = bytes_text(matrix->most.bytes);
	char *text =
		matrix->ranks_a_cell == 1
			? memory_print("Bytes sent, from a rank (rows, rank 0 on top) to a peer "
				       "(columns); the darkest cell is %s",
				       most)
			: memory_print("Bytes sent, from ranks (rows, rank 0 on top) to peers "
				       "(columns); each cell is %llu by %llu of %llu ranks; the "
				       "darkest is %s",
				       (unsigned long long)matrix->ranks_a_cell,
				       (unsigned long long)matrix->ranks_a_cell,
				       (unsigned long long)matrix->ranks, most);

	html_plot_begin(out, text);
	free(most);
	free(text);
}

static void print_map(FILE *out, const struct mpi_matrix *matrix)
{
	size_t size = matrix->side * CELL;

	print_caption(out, matrix);
	fprintf(out,
		"<svg role=\"img\" class=\"map\" viewBox=\"0 0 %zu %zu\" width=\"100%%\" "
		"style=\"max-width:%zupx\">\n",
		size, size, matrix->side < 16 ? matrix->side * 28 : (size_t)560);
	html_element(out, "title", NULL, "Bytes sent from rank to rank");
	for (size_t row = 0; row < matrix->side; row++)
		for (size_t column = 0; column < matrix->side; column++)
			print_cell(out, matrix, row, column);
	fprintf(out, "<rect class=\"frame\" width=\"%zu\" height=\"%zu\"/>\n</svg>\n", size, size);
	html_plot_end(out);
	if (matrix->unplaced.messages) {
		char *sent = text_size(matrix->unplaced.bytes);
		char *text = memory_print("%s to further peers, which were not kept one by one, "
					  "are in no cell",
					  sent);

		html_element(out, "p", "more", text);
		free(sent);
		free(text);
	}
}

static void print_pairs(const struct report *report, const char *caption, struct json_object *list)
{
	row_fields_html(report, caption, &peers_fields, list, NULL);
}

/* If not all pairs are shown, those with the longest waits may be missing. */
static void print_waits(const struct report *report, struct json_object *list)
{
	struct json_object *sorted = html_json_sorted(list, "wait_seconds");

	print_pairs(report, "Pairs of ranks, the longest waits first", sorted);
	json_object_put(sorted);
}

void html_peers(const struct report *report, struct json_object *json)
{
	struct json_object *list = html_json_at(json, "peers");
	size_t count = html_json_count(list);
	struct mpi_matrix matrix = mpi_matrix_of(&report->run->mpi.pairs, SIDE_MAX);

	if (matrix.side)
		print_map(report->out, &matrix);
	mpi_matrix_clear(&matrix);
	print_pairs(report, "Pairs of ranks, the most bytes first", list);
	if (count > report_rows(report, count))
		print_waits(report, list);
}
