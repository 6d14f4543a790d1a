/* SPDX-License-Identifier: MIT */
/* The parts of exports that can be wrong without a reader noticing: the wire format of protocol
 * buffers, the escaping of names, numbers that SQLite has no room for, rows of tables by schema,
 * counts that are rounded. */
#include "analyze/export/chrome_collectives.h"
#include "analyze/export/export_events.h"
#include "analyze/export/export_rows.h"
#include "analyze/export/export_text.h"
#include "analyze/export/protobuf.h"
#include "analyze/export/sqlite_store.h"
#include "analyze/export/unique_names.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_bytes(const struct protobuf *message, const char *bytes, size_t size)
{
	ck_assert_uint_eq(message->size, size);
	ck_assert_mem_eq(message->bytes, bytes, size);
}

/* The examples of the encoding's own documentation: 150 is 96 01, "testing" is 12 07 ... */
START_TEST(numbers_are_varints)
{
	struct protobuf message = {0};

	protobuf_number(&message, 1, 150);
	check_bytes(&message, "\x08\x96\x01", 3);
	protobuf_reset(&message);
	protobuf_number(&message, 1, 0);
	ck_assert_uint_eq(message.size, 0);
	protobuf_number(&message, 16, UINT64_MAX);
	check_bytes(&message, "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12);
	protobuf_reset(&message);
	protobuf_number(&message, 1, 127);
	protobuf_number(&message, 1, 128);
	check_bytes(&message, "\x08\x7f\x08\x80\x01", 5);
	protobuf_clear(&message);
}
END_TEST

START_TEST(texts_and_messages_have_their_length_in_front)
{
	struct protobuf message = {0}, outer = {0};

	protobuf_text(&message, 2, "testing");
	check_bytes(&message, "\x12\x07testing", 9);
	protobuf_message(&outer, 3, &message);
	check_bytes(&outer, "\x1a\x09\x12\x07testing", 11);
	protobuf_clear(&message);
	protobuf_clear(&outer);
}
END_TEST

START_TEST(packed_numbers_keep_zeros)
{
	static const uint64_t numbers[] = {3, 0, 270, 86942};
	struct protobuf message = {0};

	protobuf_numbers(&message, 6, numbers, 4);
	check_bytes(&message, "\x32\x07\x03\x00\x8e\x02\x9e\xa7\x05", 9);
	protobuf_clear(&message);
}
END_TEST

static void check_word(const char *text, const char *forbidden, const char *wanted)
{
	char *word = export_word(text, forbidden, ':');

	ck_assert_str_eq(word, wanted);
	free(word);
}

START_TEST(words_stay_on_one_line)
{
	check_word("a;b", ";", "a:b");
	check_word("a;b", "", "a;b");
	check_word("two\nlines\tand\x7f", ";", "two lines and ");
	check_word("gr\xc3\xb6\xc3\x9f"
		   "e",
		   ";",
		   "gr\xc3\xb6\xc3\x9f"
		   "e");
	check_word("\xff;", ";", "\xef\xbf\xbd:");
	check_word("", ";", "");
}
END_TEST

static void check_time(int64_t ns, const char *wanted)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	export_microseconds(out, ns);
	fclose(out);
	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(instants_are_exact)
{
	check_time(0, "0.000");
	check_time(1, "0.001");
	check_time(-1, "-0.001");
	check_time(-1234567, "-1234.567");
	check_time(INT64_MAX, "9223372036854775.807");
	check_time(INT64_MIN, "-9223372036854775.808");
}
END_TEST

/* ---- the database */

static int count_rows(const char *path, const char *query)
{
	sqlite3 *database;
	sqlite3_stmt *statement;

	ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(database, query, -1, &statement, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
	int count = sqlite3_column_int(statement, 0);

	sqlite3_finalize(statement);
	sqlite3_close(database);
	return count;
}

START_TEST(numbers_beyond_63_bits_are_kept)
{
	char path[] = "/tmp/ptrace-unit-XXXXXX";
	int descriptor = mkstemp(path); /* empty: nobody's */
	struct sqlite_store *store = sqlite_store_create(path);

	close(descriptor);
	sqlite_store_run(store, "CREATE TABLE \"%w\" (value)", "odd \"name\"");
	sqlite3_stmt *insert =
		sqlite_store_prepare(store, "INSERT INTO \"%w\" VALUES (?)", "odd \"name\"");

	for (int i = 0; i < 2; i++) {
		struct sqlite_row row = sqlite_row_begin(store, insert);

		sqlite_row_number(&row, i ? UINT64_MAX : INT64_MAX);
		sqlite_row_end(&row);
	}
	sqlite3_finalize(insert);
	sqlite_store_finish(store);
	ck_assert_int_eq(count_rows(path, "SELECT count(*) FROM \"odd \"\"name\"\"\" WHERE value = "
					  "9223372036854775807"),
			 1);
	ck_assert_int_eq(count_rows(path, "SELECT count(*) FROM \"odd \"\"name\"\"\" WHERE value = "
					  "'18446744073709551615'"),
			 1);
	unlink(path);
}
END_TEST

/* ---- rows by schema */

static size_t count_by_schema(const struct profile *profile, const char *name)
{
	const struct table *table = table_file_find(profile->file, name);
	struct export_rows *rows = export_rows_open(profile, table);
	struct export_row row;
	size_t count = 0;

	while (export_rows_next(rows, &row)) {
		count++;
		ck_assert_uint_le(row.thread, profile->threads.count);
		for (size_t i = 0; i < table->schema->column_count; i++) {
			struct export_cell cell =
				export_rows_cell(profile, &table->schema->columns[i], row.bytes);

			ck_assert(table->schema->columns[i].type == COLUMN_INTEGER || cell.text);
			export_cell_clear(&cell);
		}
	}
	export_rows_close(rows);
	return count;
}

/* Rows are those that the model has: tables that others refer to have a row 0 there. */
START_TEST(rows_by_schema_are_those_of_the_model)
{
	for (size_t i = 0; i < scene_count; i++) {
		size_t size;
		char *problem;
		unsigned char *bytes = scene_make(scenes[i].name, &size);
		struct profile *profile = profile_parse(scenes[i].name, bytes, size, &problem);

		if (!profile) { /* a scene of damage */
			free(problem);
			continue;
		}
		ck_assert_uint_eq(count_by_schema(profile, "waits"), profile->waits.count);
		ck_assert_uint_eq(count_by_schema(profile, "samples"), profile->samples.count);
		ck_assert_uint_lt(count_by_schema(profile, "callpaths"), profile->callpaths.count);
		profile_destroy(profile);
	}
}
END_TEST

/* ---- collective calls */

/* Two ranks of one communicator: who enters last is awaited, by the other. */
START_TEST(the_last_to_enter_is_awaited)
{
	struct profile_mpi_communicator communicators[2] = {{0}, {.identity = 1, .rank = 1}};
	struct profile_mpi_name names[4] = {{.name = ""},
					    {.name = "MPI_Barrier"},
					    {.name = "MPI_Bcast"},
					    {.name = "MPI_Reduce"}};
	struct profile_mpi_collective row = {.communicator = 1, .call = 1, .enter_ns = 100};
	struct profile first = {.mpi_communicators = {communicators, 2},
				.mpi_names = {names, 4},
				.mpi_collectives = {&row, 1}};
	struct chrome_collectives *all = chrome_collectives_create();

	chrome_collectives_add(all, &first, 0, 0);
	communicators[1].rank = 2;
	row.enter_ns = 40;
	chrome_collectives_add(all, &first, 1, 500); /* another clock: 540 */

	const struct chrome_collective *found = chrome_collectives_find(all, &first, &row);

	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->last.process, 2);
	ck_assert_int_eq(found->last.enter_ns, 540);
	ck_assert_ptr_eq(chrome_collectives_awaited(found, &first, &row, 100), &found->last);
	ck_assert_ptr_null(chrome_collectives_awaited(found, &first, &row, 540));
	row.call = 2; /* no root is known: nobody is awaited */
	ck_assert_ptr_null(chrome_collectives_awaited(found, &first, &row, 100));
	row.call = 3, row.root = 2; /* this rank is the root: it waits for the last */
	ck_assert_ptr_eq(chrome_collectives_awaited(found, &first, &row, 100), &found->last);
	row.root = 1; /* it is not: a reduction does not make it wait */
	ck_assert_ptr_null(chrome_collectives_awaited(found, &first, &row, 100));
	row.sequence = 7;
	ck_assert_ptr_null(chrome_collectives_find(all, &first, &row));
	chrome_collectives_destroy(all);
}
END_TEST

/* Branch misses took turns, so that their counts were multiplied by 2 and by 4. */
START_TEST(counts_by_node_are_those_of_the_run)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "counted");
	struct export_events events = export_events_of(run);
	uint64_t *counts = export_events_by_node(&events, &run->paths);
	size_t missing = 0;
	char *text;

	ck_assert_uint_eq(events.count, 4); /* nobody counted cache misses */
	for (size_t i = 0; i < events.count; i++) {
		uint64_t sum = 0;

		for (size_t node = 0; node < run->paths.count; node++)
			sum += counts[node * events.count + i];
		ck_assert_uint_eq(sum, (uint64_t)(events.rows[i].counter->scaled + 0.5));
	}
	text = export_events_missing(run, &missing);
	ck_assert_ptr_nonnull(text);
	ck_assert_ptr_nonnull(strstr(text, "cache-misses was not counted: "));
	free(text);
	ck_assert_ptr_null(export_events_missing(run, &missing));
	ck_assert_uint_eq(export_events_find(&events, events.rows[2].counter->name), 2);
	ck_assert_uint_eq(export_events_find(&events, "page-faults"), events.count); /* a copy */
	free(counts);
	export_events_clear(&events);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(rounded_counts_have_the_rounded_sum)
{
	struct export_event event = {0};
	uint64_t sum = 0;

	for (int i = 0; i < 3000; i++)
		sum += export_events_round(&event, 0.4);
	ck_assert_uint_eq(sum, 1200);
	ck_assert_uint_eq(export_events_round(&event, NAN), 0);
	ck_assert_uint_eq(export_events_round(&event, -5), 0);
	ck_assert_uint_eq(export_events_round(&event, 1), 1);
	ck_assert_uint_eq(export_events_round(&event, INFINITY), UINT64_MAX - 1201);
	ck_assert_uint_eq(export_events_round(&event, 1), 0);
}
END_TEST

START_TEST(names_of_callgrind_are_letters_and_digits)
{
	static const char *const names[][2] = {
		{"page-faults", "PageFaults"},
		{"skl::INST_RETIRED:ANY", "SklINSTRETIREDANY"},
		{"page.faults", "PageFaultsNo2"},
		{"page faults", "PageFaultsNo3"},
		{"5xx", "Event5xx"},
		{"\xc3\xa4-\xc3\xb6", "Event"},
		{"", "EventNo2"},
	};
	struct unique_names *all = unique_names_create();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_str_eq(callgrind_names_add(all, names[i][0]), names[i][1]);
	ck_assert_uint_eq(unique_names_count(all), sizeof names / sizeof *names);
	ck_assert_str_eq(unique_names_at(all, 1), "SklINSTRETIREDANY");
	unique_names_destroy(all);
}
END_TEST

UNIT_MAIN("export", numbers_are_varints, texts_and_messages_have_their_length_in_front,
	  packed_numbers_keep_zeros, words_stay_on_one_line, instants_are_exact,
	  numbers_beyond_63_bits_are_kept, rows_by_schema_are_those_of_the_model,
	  the_last_to_enter_is_awaited, counts_by_node_are_those_of_the_run,
	  rounded_counts_have_the_rounded_sum, names_of_callgrind_are_letters_and_digits)
