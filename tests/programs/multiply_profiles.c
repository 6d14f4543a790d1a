/* SPDX-License-Identifier: MIT */
/* multiply_profiles RUN N OUT [RANKS_PER_HOST [PEERS]]: makes a run of N ranks out of a real one.
 *
 * Profile i is a copy of the (i mod n)th of the n profiles of RUN with process number 100000 + i,
 * and all its times and counts that add up multiplied by 1, 2 or 3, drawn from a fixed generator.
 * Where it is a rank it becomes rank i of N:
 *   - MPI_COMM_WORLD has N members; of any other communicator there is one for each n ranks
 *   - a peer that was d ranks further is d ranks further still, modulo N
 *   - with RANKS_PER_HOST (0: as it was), its host is nodeK, K = i / RANKS_PER_HOST
 *   - with PEERS, it also sent a message of 8 x factor bytes to each of the next PEERS ranks
 * Profiles end where their rows do. Standard output: one JSON object with the sum, over all
 * profiles, of each column that adds up. What must come out of a report is so known without the
 * model; tests/format_reader.py finds the same sums without anything of the analyzer. */
#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/tables/table_read.h"

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

/* ---- the sums of what was written */

#define SUMS_MAX 512

static struct {
	char *table, *column;
	uint64_t sum;
} sums[SUMS_MAX];
static size_t sum_count;

static uint64_t *find_sum(const char *table, const char *column)
{
	size_t i = 0;

	while (i < sum_count && (strcmp(sums[i].table, table) || strcmp(sums[i].column, column)))
		i++;
	if (i == SUMS_MAX)
		die("a profile has more than %d columns that add up", SUMS_MAX);
	if (i == sum_count) {
		sums[sum_count].table = memory_copy_text(table);
		sums[sum_count++].column = memory_copy_text(column);
	}
	return &sums[i].sum;
}

static void print_sums(void)
{
	for (size_t i = 0; i < sum_count; i++)
		printf("%s\"%s.%s\": %llu", i ? ",\n " : "{", sums[i].table, sums[i].column,
		       (unsigned long long)sums[i].sum);
	printf("}\n");
}

static void scale_column(const struct table *table, const struct schema_column *column,
			 uint64_t factor)
{
	uint64_t *sum = find_sum(table->schema->name, column->name);
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = (unsigned char *)table_next_row(table, &cursor)))
		for (uint32_t e = 0; e < column->elements; e++) {
			uint64_t value = schema_read_integer(column, row, e) * factor;

			schema_write_integer(column, row, e, value);
			*sum += value;
		}
}

static void scale_table(const struct table *table, uint64_t factor)
{
	for (size_t c = 0; c < table->schema->column_count; c++)
		if (adds_up(&table->schema->columns[c]))
			scale_column(table, &table->schema->columns[c], factor);
}

/* ---- columns */

static uint64_t get(const struct table *table, const unsigned char *row, const char *column)
{
	return schema_read_integer(schema_find_column(table->schema, column), row, 0);
}

static void set(const struct table *table, unsigned char *row, const char *column, uint64_t value)
{
	schema_write_integer(schema_find_column(table->schema, column), row, 0, value);
}

/* Of a table with one row; false if it has none. */
static bool set_only(const struct table_file *file, const char *name, const char *column,
		     uint64_t value)
{
	const struct table *table = table_file_find(file, name);
	struct table_cursor cursor = {0};
	unsigned char *row = (unsigned char *)table_next_row(table, &cursor);

	if (row)
		set(table, row, column, value);
	return row != NULL;
}

/* ---- a rank of a larger job */

/* Numbers of further texts begin here, far above those of any profile. */
#define HOST_TEXT (1u << 30)

struct copy {
	uint32_t index, count; /* rank, and size of the job */
	uint32_t sources;      /* n */
	uint32_t ranks_per_host, peers;
	uint64_t factor;
};

static void change_communicators(const struct table *table, const struct copy *copy)
{
	uint32_t group = copy->index / copy->sources;
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = (unsigned char *)table_next_row(table, &cursor))) {
		uint64_t identity = get(table, row, "identity"), size = get(table, row, "size");

		if (size == copy->sources)
			set(table, row, "size", copy->count);
		else if (size > 1) {
			set(table, row, "identity", identity + group * 0x9e3779b97f4a7c15u);
			set(table, row, "leader",
			    get(table, row, "leader") + group * copy->sources);
		}
	}
}

static void change_peers(const struct table *table, const struct copy *copy)
{
	struct table_cursor cursor = {0};
	unsigned char *row;

	while ((row = (unsigned char *)table_next_row(table, &cursor))) {
		uint64_t peer = get(table, row, "peer"), own = copy->index % copy->sources;

		if (peer && peer <= copy->sources)
			set(table, row, "peer",
			    (copy->index + peer - 1 + copy->count - own) % copy->count + 1);
	}
}

static void change(struct table_file *file, const struct copy *copy)
{
	struct format_header header = file->header;

	header.pid = 100000 + copy->index;
	header.start_realtime_ns += copy->index;
	memcpy(file->bytes, &header, sizeof header);
	set_only(file, "process", "pid", header.pid);
	if (copy->ranks_per_host)
		set_only(file, "process", "host", HOST_TEXT);
	for (size_t t = 0; t < file->schema->table_count; t++)
		if (strcmp(file->tables[t].schema->name, "objects"))
			scale_table(&file->tables[t], copy->factor);
	if (!set_only(file, "mpi_process", "rank", copy->index))
		return;
	set_only(file, "mpi_process", "size", copy->count);
	change_communicators(table_file_find(file, "mpi_communicators"), copy);
	change_peers(table_file_find(file, "mpi_peers"), copy);
}

/* ---- the file */

static void write_block(FILE *out, const struct table_file *file, const char *name, uint32_t first,
			const void *rows, size_t count)
{
	static const unsigned char nothing[64];
	size_t table = 0;

	while (strcmp(file->tables[table].schema->name, name))
		table++;
	uint32_t row_bytes = file->tables[table].schema->row_bytes;
	size_t bytes = count * row_bytes, padding = (64 - bytes % 64) % 64;
	struct format_block block = {
		.magic = FORMAT_BLOCK_MAGIC,
		.bytes = (uint32_t)(sizeof block + bytes + padding),
		.table = (uint16_t)table,
		.row_bytes = (uint16_t)row_bytes,
		.owner = !strcmp(name, "strings") ? FORMAT_NO_OWNER : 1,
		.first_row = first,
		.capacity = (uint32_t)count,
		.rows = (uint32_t)count,
	};

	fwrite(&block, sizeof block, 1, out);
	fwrite(rows, row_bytes, count, out);
	fwrite(nothing, 1, padding, out);
}

static void write_host(FILE *out, const struct table_file *file, const struct copy *copy)
{
	char text[32];
	int length = snprintf(text, sizeof text, "node%u", copy->index / copy->ranks_per_host);

	write_block(out, file, "strings", HOST_TEXT, text, (size_t)length + 1);
}

static void write_peers(FILE *out, const struct table_file *file, const struct copy *copy)
{
	const struct table *table = table_file_find(file, "mpi_peers");
	unsigned char *rows = memory_allocate(copy->peers, table->schema->row_bytes);

	for (uint32_t i = 0; i < copy->peers; i++) {
		unsigned char *row = rows + i * table->schema->row_bytes;

		set(table, row, "peer", (copy->index + 1 + i) % copy->count + 1);
		set(table, row, "messages_sent", 1);
		set(table, row, "bytes_sent", 8 * copy->factor);
		*find_sum("mpi_peers", "messages_sent") += 1;
		*find_sum("mpi_peers", "bytes_sent") += 8 * copy->factor;
	}
	write_block(out, file, "mpi_peers", 1u << 20, rows, copy->peers);
	free(rows);
}

static void write_header(FILE *out, const struct table_file *file)
{
	struct format_header header;

	memcpy(&header, file->bytes, sizeof header);
	header.used_bytes = header.file_bytes = (uint64_t)ftell(out);
	rewind(out);
	fwrite(&header, sizeof header, 1, out);
}

static void write_copy(const char *from, const char *directory, const struct copy *copy)
{
	char *problem,
		*path = memory_print("%s/copy-%u-0.profile", directory, 100000 + copy->index);
	struct table_file *file = table_file_open(from, &problem);
	FILE *out = fopen(path, "wbe");

	if (!file)
		die("%s %s", from, problem);
	if (!out)
		die("cannot write %s: %s", path, strerror(errno));
	change(file, copy);
	size_t used = file->header.used_bytes < file->size ? file->header.used_bytes : file->size;

	fwrite(file->bytes, 1, used, out);
	if (copy->ranks_per_host)
		write_host(out, file, copy);
	if (copy->peers)
		write_peers(out, file, copy);
	write_header(out, file);
	if (ferror(out) || fclose(out))
		die("cannot write %s: %s", path, strerror(errno));
	table_file_destroy(file);
	free(path);
}

static int is_profile_name(const struct dirent *entry)
{
	return !fnmatch("*.profile", entry->d_name, 0);
}

static uint32_t number_of(int argc, char **argv, int index)
{
	return index < argc ? (uint32_t)strtoul(argv[index], NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	struct dirent **entries;

	if (argc < 4 || argc > 6)
		die("usage: multiply_profiles RUN N OUT [RANKS_PER_HOST [PEERS]]");
	int files = scandir(argv[1], &entries, is_profile_name, alphasort);

	if (files <= 0)
		die("%s holds no profile", argv[1]);
	if (mkdir(argv[3], 0777) && errno != EEXIST)
		die("cannot make %s: %s", argv[3], strerror(errno));
	struct copy copy = {.count = number_of(argc, argv, 2),
			    .sources = (uint32_t)files,
			    .ranks_per_host = number_of(argc, argv, 4),
			    .peers = number_of(argc, argv, 5)};

	for (; copy.index < copy.count; copy.index++) {
		char *from =
			memory_print("%s/%s", argv[1], entries[copy.index % copy.sources]->d_name);

		copy.factor = 1 + draw(3);
		write_copy(from, argv[3], &copy);
		free(from);
	}
	print_sums();
	return 0;
}
