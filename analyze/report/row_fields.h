/* SPDX-License-Identifier: MIT */
/* A kind of row as one list: a line for each figure says what it is, and where it is shown. From it
 * come the row's JSON, the head of its CSV (and by these the columns of SQLite), its columns in the
 * text and on pages, and its figures in comparisons; a new figure is one line.
 *
 * The lists are files NAME_fields.def, which define_fields.h makes into a struct row_fields. Orders
 * differ, as readers of text want other things first than programs do: JSON and CSV have the order
 * of the list, text and pages that of the numbers in TEXT and HTML. Context: pure but for `out`. */
#pragma once

#include "analyze/page/html_json.h"
#include "analyze/print/text_table.h"
#include "analyze/print/value.h"
#include "analyze/report/field_diff.h"
#include "analyze/report/report.h"

struct carried;

/* Of a row, whose type the list names. */
typedef struct value row_getter(const struct report *report, const void *row);
/* The nth key of an object; NULL: it has no more. */
typedef const char *row_part(size_t index);

struct row_field {
	const char *key;  /* in JSON and CSV; NULL: not there */
	const char *path; /* on pages only, of the JSON of another field; NULL: not so */
	row_getter *get;  /* NULL: there is a path */
	row_part *parts;  /* keys of an object; NULL: it is none */
	const struct carried *carried; /* columns of its own, in place of a key; NULL: none */
	bool is_of_page; /* its key is in the JSON of pages only, which nobody else sees */
	struct {
		unsigned at; /* 0: not there */
		const char *title;
		enum text_align align;
		bool is_quiet;          /* 0 and unknown are empty cells */
		unsigned from_width;    /* the report has the column if it is so wide */
		const char *unknown;    /* in place of "?" */
		const char *by_process; /* its title in a report by process; NULL: the same */
	} text;
	struct {
		unsigned at; /* 0: not there */
		struct html_field field;
		const char *by_process;
	} html;
	struct field_diff diff;
};

struct row_fields {
	const struct row_field *rows;
	size_t count;
};

/* Those of sections, and of what else is on their pages. */
extern const struct row_fields synchronization_fields, plain_calls_fields, io_fields, io_sum_fields,
	waits_fields, requests_fields, sections_fields, section_intervals_fields,
	section_marks_fields, processes_fields, programs_fields, stages_fields,
	pipeline_verdicts_fields, connections_fields, stuck_fields, stuck_verdicts_fields,
	calls_fields, mpi_calls_fields, mpi_sites_fields, mpi_sizes_fields, mpi_efficiency_fields,
	collectives_fields, peers_fields, ranks_fields, routines_fields, tree_fields, lines_fields,
	source_fields, omp_efficiency_fields, omp_regions_fields, omp_constructs_fields,
	omp_tasks_fields, threads_fields, findings_fields, counters_fields, counter_events_fields,
	counter_routines_fields, counter_threads_fields, counter_causes_fields;

struct json_object *row_json(const struct report *report, const struct row_fields *fields,
			     const void *row);
/* The same with what is of pages only. */
struct json_object *row_page_json(const struct report *report, const struct row_fields *fields,
				  const void *row);
/* A list of the first `count` rows of an array. */
struct json_object *rows_json(const struct report *report, const struct row_fields *fields,
			      const void *rows, size_t count, size_t row_bytes);
/* "rank,pid,waits.mutex": what csv.c makes of such rows. Released by the caller. */
char *row_fields_head(const struct row_fields *fields);

/* A table of the text report, while rows are added. */
struct row_table;
struct row_table *row_table_create(const struct report *report, const struct row_fields *fields);
void row_table_add(struct row_table *table, const void *row);
/* Is there a column of that title? */
bool row_fields_have(const struct row_fields *fields, const char *title);
/* A line below the row that was added last, which the table takes over. */
void row_table_add_detail(struct row_table *table, char *line);
/* Prints and destroys. */
void row_table_print(struct row_table *table);
/* Such a table of the first rows of an array, and how many more there are. */
void rows_text(const struct report *report, const struct row_fields *fields, const void *rows,
	       size_t count, size_t row_bytes);

/* The columns of a page, for a table that has others as well; released by the caller. */
struct html_field *row_fields_page(const struct report *report, const struct row_fields *fields,
				   size_t *count);
/* A table of a page, made of such JSON; `detail` as for html_json_table. */
void row_fields_html(const struct report *report, const char *caption,
		     const struct row_fields *fields, struct json_object *list,
		     html_detail *detail);
