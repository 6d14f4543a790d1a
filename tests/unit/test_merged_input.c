/* SPDX-License-Identifier: MIT */
/* Rows of merged runs: translated to the numbers of a model, left out, and united. */
#include "analyze/base/text_set.h"
#include "analyze/tables/merged_input.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

/* A file with what a test has written, and who reads it. */
struct reading {
	struct merged_file *file;
	struct text_set *texts;
	struct merged_input *input;
};

static struct reading begin(struct merged_writer *writer)
{
	size_t size;
	char *problem = NULL;
	unsigned char *bytes = merged_writer_finish(writer, &size);
	struct reading reading = {.file = merged_file_parse(bytes, size, &problem),
				  .texts = text_set_create()};

	ck_assert_ptr_nonnull(reading.file);
	reading.input = merged_input_create(reading.file, reading.texts);
	return reading;
}

static void end(struct reading *reading)
{
	merged_input_destroy(reading->input);
	text_set_destroy(reading->texts);
	merged_file_destroy(reading->file);
}

START_TEST(rows_have_the_numbers_of_the_model)
{
	struct merged_writer *writer = merged_writer_create();
	struct merged_calls row = {.routine = 1, .line = 12, .calls = 5};

	merged_writer_add(writer, MERGED_routines, &(struct merged_routines){.name = "f"});
	merged_writer_add(writer, MERGED_routines, &(struct merged_routines){.name = "g"});
	merged_writer_add(writer, MERGED_calls, &row);
	struct reading reading = begin(writer);
	struct merged_routines routine;
	size_t next = 0;

	while (merged_next(reading.input, MERGED_routines, &next, &routine))
		merged_number(reading.input, MERGED_routines, next, 100 * next);
	ck_assert_ptr_eq(routine.name, text_set_keep(reading.texts, "g"));
	next = 0;
	ck_assert(merged_next(reading.input, MERGED_calls, &next, &row));
	ck_assert_uint_eq(row.routine, 200);
	ck_assert_uint_eq(row.calls, 5);
	ck_assert(!merged_next(reading.input, MERGED_calls, &next, &row));
	end(&reading);
}
END_TEST

START_TEST(rows_that_refer_to_nothing_are_left_out)
{
	struct merged_writer *writer = merged_writer_create();
	struct merged_mpi_occurrences late = {.last.routine = 3};
	struct merged_calls row;
	size_t next = 0;

	merged_writer_add(writer, MERGED_routines, &(struct merged_routines){.name = "f"});
	for (uint64_t routine = 0; routine < 3; routine++)
		merged_writer_add(writer, MERGED_calls,
				  &(struct merged_calls){.routine = 2 - routine, .calls = 7});
	merged_writer_add(writer, MERGED_mpi_occurrences, &late);
	struct reading reading = begin(writer);

	/* not read yet: its number is not known */
	ck_assert(!merged_next(reading.input, MERGED_calls, &next, &row));
	merged_number(reading.input, MERGED_routines, 1, 9);
	next = 0;
	ck_assert(merged_next(reading.input, MERGED_calls, &next, &row));
	ck_assert_uint_eq(next, 3);
	ck_assert_uint_eq(row.routine, 9);
	/* where the row means something without it */
	next = 0;
	ck_assert(merged_next(reading.input, MERGED_mpi_occurrences, &next, &late));
	ck_assert_uint_eq(late.last.routine, MERGED_NO_ROW);
	end(&reading);
}
END_TEST

START_TEST(numbers_from_1_on_keep_their_0)
{
	struct merged_writer *writer = merged_writer_create();
	struct merged_omp_tasks row;
	size_t next = 0, count = 0;
	uint64_t regions[2];

	merged_writer_add(writer, MERGED_routines, &(struct merged_routines){.name = "f"});
	merged_writer_add(writer, MERGED_omp_regions, &(struct merged_omp_regions){.kind = 1});
	for (uint64_t region = 0; region < 3; region++)
		merged_writer_add(writer, MERGED_omp_tasks,
				  &(struct merged_omp_tasks){.region = region});
	struct reading reading = begin(writer);

	merged_number(reading.input, MERGED_routines, 1, 0);
	merged_number(reading.input, MERGED_omp_regions, 1, 41);
	while (merged_next(reading.input, MERGED_omp_tasks, &next, &row))
		regions[count++] = row.region;
	ck_assert_uint_eq(count, 2); /* there is no second region */
	ck_assert_uint_eq(regions[0], 0);
	ck_assert_uint_eq(regions[1], 42);
	end(&reading);
}
END_TEST

START_TEST(what_a_file_must_not_hold_is_put_right)
{
	struct merged_writer *writer = merged_writer_create();
	struct merged_imbalance odd = {.start.line = (1ull << 40) + 5};
	struct merged_efficiency figures = {.is_useful = 7, .grade = 99};
	size_t next = 0;

	merged_writer_add(writer, MERGED_routines, &(struct merged_routines){.name = "f"});
	merged_writer_add(writer, MERGED_imbalance, &odd);
	merged_writer_add(writer, MERGED_efficiency, &figures);
	merged_writer_add(writer, MERGED_sync_objects, &(struct merged_sync_objects){.members = 1});
	merged_writer_add(writer, MERGED_sync_rows,
			  &(struct merged_sync_rows){.operation = OP_COUNT});
	struct reading reading = begin(writer);
	struct merged_sync_rows unknown;

	merged_number(reading.input, MERGED_routines, 1, 0);
	merged_number(reading.input, MERGED_sync_objects, 1, 0);
	ck_assert(merged_next(reading.input, MERGED_imbalance, &next, &odd));
	ck_assert_uint_eq(odd.start.line, 5);
	next = 0;
	ck_assert(merged_next(reading.input, MERGED_efficiency, &next, &figures));
	ck_assert_uint_eq(figures.is_useful, 1);
	ck_assert_uint_eq(figures.grade, MERGED_WORST_GRADE);
	next = 0;
	ck_assert(!merged_next(reading.input, MERGED_sync_rows, &next, &unknown));
	end(&reading);
}
END_TEST

START_TEST(rows_are_united_by_what_their_columns_are)
{
	struct merged_sync_rows into = {.object = 1, .count = 2, .wait_max_ns = 9};
	struct merged_sync_rows from = {.object = 5, .count = 3, .wait_max_ns = 4};
	struct merged_omp_run sums = {.wait_ns = 1.5, .blocked_grade = 1};
	struct merged_omp_run added = {.wait_ns = 0.25, .blocked_grade = 2};
	struct merged_omp_regions region = {.team_min = 4, .place.line = 7};
	struct merged_omp_regions unknown = {.team_min = 0}, smaller = {.team_min = 3};
	struct merged_mpi_sites site = {.figures = {.count = 1, .shortest_ns = 20}};
	struct merged_mpi_sites other = {.figures = {.count = 2, .shortest_ns = 0}};

	merged_unite(MERGED_sync_rows, &into, &from);
	ck_assert_uint_eq(into.object, 1);
	ck_assert_uint_eq(into.count, 5);
	ck_assert_uint_eq(into.wait_max_ns, 9);
	merged_unite(MERGED_omp_run, &sums, &added);
	ck_assert_double_eq_tol(sums.wait_ns, 1.75, 1e-12);
	ck_assert_uint_eq(sums.blocked_grade, 2);
	merged_unite(MERGED_omp_regions, &region, &unknown);
	ck_assert_uint_eq(region.team_min, 4);
	merged_unite(MERGED_omp_regions, &region, &smaller);
	ck_assert_uint_eq(region.team_min, 3);
	ck_assert_uint_eq(region.place.line, 7);
	merged_unite(MERGED_mpi_sites, &site, &other);
	ck_assert_uint_eq(site.figures.count, 3);
	ck_assert_uint_eq(site.figures.shortest_ns, 0);
}
END_TEST

UNIT_MAIN("merged_input", rows_have_the_numbers_of_the_model,
	  rows_that_refer_to_nothing_are_left_out, numbers_from_1_on_keep_their_0,
	  what_a_file_must_not_hold_is_put_right, rows_are_united_by_what_their_columns_are)
