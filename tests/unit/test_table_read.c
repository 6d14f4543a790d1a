/* SPDX-License-Identifier: MIT */
#include "analyze/tables/table_read.h"
#include "tests/programs/profile_scenes.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* A reader takes over what it is given: every try gets bytes of its own. */
static struct table_file *parse_copy(const unsigned char *bytes, size_t size, char **problem)
{
	unsigned char *copy = malloc(size + 1);

	memcpy(copy, bytes, size);
	*problem = NULL;
	return table_file_parse(copy, size, problem);
}

static size_t count_rows(const struct table_file *file, const char *name)
{
	struct table_cursor cursor = {0};
	size_t count = 0;

	while (table_next_row(table_file_find(file, name), &cursor))
		count++;
	return count;
}

static void expect_refused(const unsigned char *bytes, size_t size, const char *words)
{
	char *problem;

	ck_assert_ptr_null(parse_copy(bytes, size, &problem));
	ck_assert_msg(strstr(problem, words) != NULL, "%s", problem);
	free(problem);
}

START_TEST(a_whole_file_has_no_problem)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("workers", &size);
	struct table_file *file = parse_copy(bytes, size, &problem);

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(file->problems.count, 0);
	ck_assert(!file->is_torn);
	ck_assert_uint_eq(count_rows(file, "samples"), 4);
	ck_assert_uint_eq(count_rows(file, "no such table"), 0);
	table_file_destroy(file);
	free(bytes);
}
END_TEST

START_TEST(empty_rows_of_hashed_tables_are_skipped)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("sparse", &size);
	struct table_file *file = parse_copy(bytes, size, &problem);

	ck_assert_uint_eq(count_rows(file, "samples"), 4);
	ck_assert_uint_eq(count_rows(file, "waits"), 1);
	table_file_destroy(file);
	free(bytes);
}
END_TEST

START_TEST(foreign_files_are_refused_with_a_reason)
{
	size_t size;
	unsigned char *bytes = scene_make("workers", &size);
	struct format_header *header = (struct format_header *)bytes;

	expect_refused(bytes, 0, "empty");
	expect_refused(bytes, 20, "short");
	header->version = 3;
	expect_refused(bytes, size, "version");
	header->byte_order = 0x04030201;
	expect_refused(bytes, size, "byte order");
	header->magic[0] = 'X';
	expect_refused(bytes, size, "not a profile");
	memcpy(header->magic, "PTPROF\n", 7);
	expect_refused(bytes, size, "text mode");
	free(bytes);
}
END_TEST

START_TEST(every_truncation_is_survived_and_said)
{
	size_t size;
	unsigned char *bytes = scene_make("workers", &size);

	for (size_t length = 0; length < size; length += 7) {
		char *problem;
		struct table_file *file = parse_copy(bytes, length, &problem);

		if (file) {
			ck_assert(file->is_torn);
			ck_assert_uint_gt(file->problems.count, 0);
		}
		table_file_destroy(file);
		free(problem);
	}
	free(bytes);
}
END_TEST

START_TEST(every_flipped_byte_is_survived)
{
	size_t size;
	unsigned char *bytes = scene_make("sparse", &size);

	for (size_t at = 0; at < size; at++) {
		char *problem;

		bytes[at] ^= 0xff;
		struct table_file *file = parse_copy(bytes, size, &problem);

		if (file)
			count_rows(file, "samples");
		table_file_destroy(file);
		free(problem);
		bytes[at] ^= 0xff;
	}
	free(bytes);
}
END_TEST

/* A writer that was killed between reserving a block and naming it. */
START_TEST(a_hole_hides_only_its_own_block)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("workers", &size);
	struct format_header *header = (struct format_header *)bytes;
	struct format_block *first = (struct format_block *)(bytes + header->blocks_offset);

	memset(first, 0, first->bytes);
	struct table_file *file = parse_copy(bytes, size, &problem);

	ck_assert_uint_eq(count_rows(file, "strings"), 0);
	ck_assert_uint_eq(count_rows(file, "samples"), 4);
	ck_assert(!file->is_torn);
	table_file_destroy(file);
	free(bytes);
}
END_TEST

/* The same, or one that was left by a jump, in the middle of the header: what is behind it is
 * damage. */
START_TEST(an_unfinished_header_is_a_hole)
{
	size_t size;
	char *problem;
	unsigned char *bytes = scene_make("workers", &size);
	struct format_header *header = (struct format_header *)bytes;
	struct format_block *first = (struct format_block *)(bytes + header->blocks_offset);

	struct format_block *second =
		(struct format_block *)(bytes + header->blocks_offset + first->bytes);

	first->magic = second->magic = 0;
	memset(first + 1, 0, first->bytes - sizeof *first);
	memset(second + 1, 0, second->bytes - sizeof *second);
	struct table_file *file = parse_copy(bytes, size, &problem);
	ck_assert_uint_eq(count_rows(file, "samples"), 4);
	ck_assert(!file->is_torn);
	table_file_destroy(file);
	memset(first + 1, 1, 1);
	file = parse_copy(bytes, size, &problem);
	ck_assert(file->is_torn);
	table_file_destroy(file);
	free(bytes);
}
END_TEST

START_TEST(texts_end_inside_their_block)
{
	size_t size;
	char *problem;
	struct builder builder;

	builder_start(&builder);
	uint64_t good = builder_text(&builder, "hello");
	uint32_t bad = builder_add(&builder, TABLE_strings, FORMAT_NO_OWNER, "x");
	unsigned char *bytes = builder_finish(&builder, &size);
	struct table_file *file = parse_copy(bytes, size, &problem);
	const struct table *strings = table_file_find(file, "strings");

	ck_assert_str_eq(table_text(strings, good), "hello");
	ck_assert_str_eq(table_text(strings, good + 2), "llo");
	ck_assert_str_eq(table_text(strings, bad), "");
	ck_assert_str_eq(table_text(strings, 1u << 30), "");
	ck_assert_str_eq(table_text(NULL, 1), "");
	table_file_destroy(file);
	free(bytes);
}
END_TEST

UNIT_MAIN("table_read", a_whole_file_has_no_problem, empty_rows_of_hashed_tables_are_skipped,
	  foreign_files_are_refused_with_a_reason, every_truncation_is_survived_and_said,
	  every_flipped_byte_is_survived, a_hole_hides_only_its_own_block,
	  an_unfinished_header_is_a_hole, texts_end_inside_their_block)
