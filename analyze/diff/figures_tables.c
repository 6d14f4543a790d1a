/* SPDX-License-Identifier: MIT */
/* Figures of tables that this program does not know: whatever a later version of the profiler
 * counts can be compared as soon as it is in the files.
 *
 * A row is identified by its key columns (row_key.h). Each value column that adds up, or has a
 * smallest or largest value, is a figure; columns of which the first or last value is kept are
 * descriptions and left out, and so are histograms, whose counts are in other columns. It is not
 * known which direction is better: such figures are neutral. Rows of all threads and processes are
 * merged. Merged runs have no such tables. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/row_key.h"
#include "analyze/read/run_read.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tables that other extractors use, or that only describe. */
static const char *const consumed[] = {
	"strings",
	"process",
	"modules",
	"callpaths",
	"threads",
	"concurrency",
	"samples",
	"tallies",
	"waits",
	"objects",
	"blame",
	"children",
	"notes",
	"timeline",
	"mpi_process",
	"mpi_names",
	"mpi_calls",
	"mpi_peers",
	"mpi_communicators",
	"mpi_collectives",
	"omp_process",
	"omp_regions",
	"omp_executions",
	"omp_work",
	"omp_constructs",
	"omp_tasks",
	"omp_threads",
	"events",
	"metrics",
	"event_counts",
	"event_samples",
	"io_calls",
	"requests",
	"python_code",
	"sections",
	"section_levels",
	"section_times",
	"section_longest",
	"marks",
	"named_memory",
};

static bool is_new(const struct table_schema *table)
{
	for (size_t i = 0; i < sizeof consumed / sizeof *consumed; i++)
		if (!strcmp(table->name, consumed[i]))
			return false;
	return table->is_usable;
}

static bool has_new(const struct schema *schema)
{
	for (size_t i = 0; i < schema->table_count; i++)
		if (is_new(&schema->tables[i]))
			return true;
	return false;
}

/* ---- one table */

static bool is_value(const struct schema_column *column)
{
	bool is_histogram = column->elements > 1 && column->element_bytes < 8;

	return column->role == ROLE_VALUE && column->type == COLUMN_INTEGER && !is_histogram &&
	       (column->merge == MERGE_SUM || column->merge == MERGE_MIN ||
		column->merge == MERGE_MAX) &&
	       strcmp(column->unit, "address") != 0;
}

static double value_of(const struct schema_column *column, const unsigned char *row)
{
	double sum = 0;

	for (size_t i = 0; i < column->elements; i++)
		sum += (double)schema_read_integer(column, row, i);
	return sum;
}

/* Of a routine whose begin only is told (call_times.h) the columns of `calls` are not known, but
 * for these. */
static bool is_told(const struct schema_column *column)
{
	return !strcmp(column->name, "count") || !strcmp(column->name, "sequential") ||
	       !strcmp(column->name, "untimed");
}

static bool is_only_counted(const struct extract *extract, const struct profile *profile,
			    const struct table *table, const unsigned char *row)
{
	const struct table *paths = table_file_find(profile->file, "callpaths");
	const struct schema_column *of = schema_find_column(table->schema, "callpath");

	if (strcmp(table->schema->name, "calls") != 0 || !paths || !of)
		return false;
	size_t path = table_row_index(paths, schema_read_integer(of, row, 0));
	if (path >= profile->callpaths.count)
		return false;
	const struct call_time *known = call_times_of(
		&extract->run->calls, names_entry(extract->run->names, profile, path).routine);
	return known && !call_time_is_known(known);
}

static void add_value(const struct extract *extract, const struct schema_column *column,
		      const char *key, double value)
{
	enum figure_unit unit = figures_unit(column->unit);
	bool is_time = unit == UNIT_NS && column->merge == MERGE_SUM;

	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_TABLES,
					      .key = key,
					      .metric = column->name,
					      .unit = unit,
					      .unite = column->merge == MERGE_SUM   ? UNITE_SUM
						       : column->merge == MERGE_MIN ? UNITE_MIN
										    : UNITE_MAX,
					      .value = value,
					      .effect_ns = is_time ? value / extract->threads : NAN,
				      });
}

static void add_table(const struct extract *extract, const struct profile *profile,
		      const struct table *table)
{
	struct table_cursor cursor = {0};
	const unsigned char *row;

	while ((row = table_next_row(table, &cursor))) {
		char *of = row_key_text(extract->run->names, profile, table, row);
		char *key = memory_print("%s%s%s", table->schema->name, *of ? ": " : "", of);

		bool is_partial = is_only_counted(extract, profile, table, row);

		for (size_t i = 0; i < table->schema->column_count; i++) {
			const struct schema_column *column = &table->schema->columns[i];
			bool is_known = !is_partial || is_told(column);
			if (is_value(column))
				add_value(extract, column, key,
					  is_known ? value_of(column, row) : NAN);
		}
		free(of);
		free(key);
	}
}

/* ---- all profiles; a second look only at those that have something new */

/* The schema text of the last file, and what was read from it: nearly all files have the same. */
struct look {
	char *text;
	size_t bytes;
	bool has_new;
};

static char *read_schema(const struct run_process *process, size_t *bytes)
{
	int file = open(process->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t room = process->header.schema_bytes < FORMAT_MAX_BYTES ? process->header.schema_bytes
								      : FORMAT_MAX_BYTES;
	char *text = memory_allocate(room + 1, 1);
	ssize_t got = file < 0 ? -1 : pread(file, text, room, (off_t)process->header.schema_offset);

	if (file >= 0)
		close(file);
	*bytes = got > 0 ? (size_t)got : 0;
	return text;
}

static bool look_at_file(struct look *look, const struct run_process *process)
{
	size_t bytes;
	char *text = read_schema(process, &bytes);

	if (look->text && bytes == look->bytes && !memcmp(text, look->text, bytes)) {
		free(text);
		return look->has_new;
	}
	const char *problem;
	struct schema *schema = schema_parse(text, bytes, &problem);

	free(look->text);
	*look = (struct look){text, bytes, schema && has_new(schema)};
	schema_destroy(schema);
	return look->has_new;
}

static void add_profile(const struct extract *extract, size_t process)
{
	struct run_files *files = extract->run->files;
	const struct profile *profile = run_files_profile(files, process);

	for (size_t i = 0; profile && i < profile->file->schema->table_count; i++)
		if (is_new(&profile->file->schema->tables[i]))
			add_table(extract, profile, &profile->file->tables[i]);
	names_forget(extract->run->names);
	run_files_release(files, process);
}

void extract_tables(const struct extract *extract)
{
	const struct run_files *files = extract->run->files;
	struct look look = {0};

	for (size_t i = 0; i < files->process_count; i++) {
		const struct run_process *process = &files->processes[i];
		bool is_worth = process->profile ? has_new(process->profile->file->schema)
						 : process->path && look_at_file(&look, process);

		if (is_worth)
			add_profile(extract, i);
	}
	free(look.text);
}
