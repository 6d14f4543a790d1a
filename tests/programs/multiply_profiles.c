/* SPDX-License-Identifier: MIT */
/* multiply_profiles RUN N OUT: makes a run of N ranks out of the profiles of a real one.
 *
 * Profile i is a copy of the (i mod number)th profile of RUN with process number 100000 + i, rank i
 * of N where it is a rank, and all its times and counts that add up multiplied by 1, 2 or 3, drawn
 * from a fixed generator. What must come out of a report is so known without the analyzer:
 * tests/format_reader.py adds the files up. */
#include "analyze/die.h"
#include "analyze/memory.h"
#include "analyze/read/table_read.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t seed = 88172645463325252u;

/* xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003): the same numbers everywhere. */
static uint64_t draw(uint64_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

static bool adds_up(const struct schema_column *column)
{
	return column->merge == MERGE_SUM && column->role == ROLE_VALUE &&
	       column->element_bytes == 8 && strcmp(column->name, "past_life_ns");
}

static void scale_table(const struct table *table, uint64_t factor)
{
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = (unsigned char *)table_next_row(table, &cursor)))
		for (size_t c = 0; c < table->schema->column_count; c++) {
			const struct schema_column *column = &table->schema->columns[c];

			for (uint32_t e = 0; adds_up(column) && e < column->elements; e++)
				schema_write_integer(column, row, e,
						     schema_read_integer(column, row, e) * factor);
		}
}

static void set_column(const struct table_file *file, const char *name, const char *column,
		       uint64_t value)
{
	const struct table *table = table_file_find(file, name);
	struct table_cursor cursor = {0};
	unsigned char *row = table ? (unsigned char *)table_next_row(table, &cursor) : NULL;

	if (row && schema_find_column(table->schema, column))
		schema_write_integer(schema_find_column(table->schema, column), row, 0, value);
}

static void change(struct table_file *file, uint32_t index, uint32_t count)
{
	struct format_header header = file->header;
	uint64_t factor = 1 + draw(3);

	header.pid = 100000 + index;
	header.start_realtime_ns += index;
	memcpy(file->bytes, &header, sizeof header);
	set_column(file, "process", "pid", header.pid);
	set_column(file, "mpi_process", "rank", index);
	set_column(file, "mpi_process", "size", count);
	for (size_t t = 0; t < file->schema->table_count; t++)
		if (strcmp(file->tables[t].schema->name, "objects"))
			scale_table(&file->tables[t], factor);
}

static void write_copy(const char *from, const char *directory, uint32_t index, uint32_t count)
{
	char *problem, *path = memory_print("%s/copy-%u-0.profile", directory, 100000 + index);
	struct table_file *file = table_file_open(from, &problem);
	FILE *out = fopen(path, "wbe");

	if (!file)
		die("%s %s", from, problem);
	change(file, index, count);
	if (!out || fwrite(file->bytes, 1, file->size, out) != file->size || fclose(out))
		die("cannot write %s: %s", path, strerror(errno));
	table_file_destroy(file);
	free(path);
}

static int is_profile_name(const struct dirent *entry)
{
	return !fnmatch("*.profile", entry->d_name, 0);
}

int main(int argc, char **argv)
{
	struct dirent **entries;

	if (argc != 4)
		die("usage: multiply_profiles RUN N OUT");
	uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
	int files = scandir(argv[1], &entries, is_profile_name, alphasort);

	if (files <= 0)
		die("%s holds no profile", argv[1]);
	if (mkdir(argv[3], 0777) && errno != EEXIST)
		die("cannot make %s: %s", argv[3], strerror(errno));
	for (uint32_t i = 0; i < count; i++) {
		char *from = memory_print("%s/%s", argv[1], entries[i % (uint32_t)files]->d_name);

		write_copy(from, argv[3], i, count);
		free(from);
	}
	return 0;
}
