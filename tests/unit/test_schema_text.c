/* SPDX-License-Identifier: MIT */
#include "analyze/tables/schema_parse.h"
#include "tests/unit/unit.h"

#include <string.h>

static struct schema *parse(const char *text)
{
	const char *problem = NULL;

	return schema_parse(text, strlen(text), &problem);
}

START_TEST(columns_stand_one_behind_the_other)
{
	struct schema *schema = parse("ptrace schema 1\n"
				      "table things: some things: with colons\n"
				      "column u8 small none key key: a byte\n"
				      "column text16 name none value last: \n"
				      "column hist32 lengths ns value histogram: of lengths\n"
				      "column causes old_by_cause ns value sum: \n"
				      "column causes32 by_cause ns value sum: \n"
				      "column u32 owner none things key: \n");
	const struct table_schema *table = schema_find_table(schema, "things");

	ck_assert_ptr_nonnull(table);
	ck_assert(table->is_usable);
	ck_assert_str_eq(table->meaning, "some things: with colons");
	ck_assert_uint_eq(table->row_bytes, 1 + 16 + 32 * 4 + 16 * 8 + 32 * 8 + 4);
	ck_assert_uint_eq(schema_find_column(table, "lengths")->offset, 17);
	ck_assert_int_eq(schema_find_column(table, "lengths")->merge, MERGE_SUM);
	ck_assert_int_eq(schema_find_column(table, "owner")->role, ROLE_REFERENCE);
	ck_assert_str_eq(schema_find_column(table, "owner")->references, "things");
	ck_assert_ptr_null(schema_find_column(table, "missing"));
	schema_destroy(schema);
}
END_TEST

/* 16 causes, as older files have them, and 40, of a version to come. */
START_TEST(causes_of_other_lengths_keep_preempted_last)
{
	struct schema *schema = parse("ptrace schema 1\ntable t: \n"
				      "column causes few ns value sum: \n"
				      "column causes40 many ns value sum: \n");
	const struct table_schema *table = schema_find_table(schema, "t");
	uint64_t row[16 + 40], found[32];

	for (size_t i = 0; i < 16 + 40; i++)
		row[i] = i;
	schema_read_numbers(schema_find_column(table, "few"), (unsigned char *)row, found, 32);
	for (size_t i = 0; i < 31; i++)
		ck_assert_uint_eq(found[i], i < 15 ? i : 0);
	ck_assert_uint_eq(found[31], 15);
	schema_read_numbers(schema_find_column(table, "many"), (unsigned char *)row, found, 32);
	uint64_t beyond = 0;
	for (size_t i = 31; i < 39; i++)
		beyond += 16 + i;
	ck_assert_uint_eq(found[0], 16 + beyond);
	ck_assert_uint_eq(found[1], 17);
	ck_assert_uint_eq(found[30], 16 + 30);
	ck_assert_uint_eq(found[31], 16 + 39);
	schema_destroy(schema);
}
END_TEST

START_TEST(a_type_without_a_known_width_makes_its_table_unusable_only)
{
	struct schema *schema = parse("ptrace schema 1\n"
				      "table strange: \ncolumn float x ns value sum: \n"
				      "column double y ns value sum: \n"
				      "table plain: \ncolumn u64 x ns value sum: \n");
	const struct table_schema *strange = schema_find_table(schema, "strange");

	ck_assert(!strange->is_usable);
	ck_assert_str_eq(strange->strange_column, "x");
	ck_assert_str_eq(strange->strange_type, "float");
	ck_assert(schema_find_table(schema, "plain")->is_usable);
	schema_destroy(schema);
}
END_TEST

START_TEST(an_unknown_merge_rule_keeps_the_first_value)
{
	struct schema *schema =
		parse("ptrace schema 1\ntable t: \ncolumn u8 x none value median: \n");

	ck_assert_int_eq(schema->tables[0].columns[0].merge, MERGE_FIRST);
	schema_destroy(schema);
}
END_TEST

START_TEST(another_version_is_refused)
{
	ck_assert_ptr_null(parse("ptrace schema 2\n"));
	ck_assert_ptr_null(parse(""));
	ck_assert_ptr_null(parse("something else"));
}
END_TEST

START_TEST(broken_lines_do_no_harm)
{
	struct schema *schema = parse("ptrace schema 1\n"
				      "column u8 x none value sum: before any table\n"
				      "table \ntable t\ncolumn\ncolumn \ncolumn u8\ncolumn "
				      "text999999999999 x none value sum: \n");

	ck_assert_uint_eq(schema->table_count, 2);
	ck_assert(!schema->tables[1].is_usable);
	schema_destroy(schema);
}
END_TEST

START_TEST(integers_of_all_widths_are_read_and_written)
{
	struct schema *schema = parse("ptrace schema 1\ntable t: \ncolumn u16 a none value sum: "
				      "\ncolumn u64 b none value sum: \n");
	const struct schema_column *a = schema_find_column(&schema->tables[0], "a");
	const struct schema_column *b = schema_find_column(&schema->tables[0], "b");
	unsigned char row[10] = {0};

	schema_write_integer(a, row, 0, 0xffff);
	schema_write_integer(b, row, 0, 0x123456789abcdef0);
	ck_assert_uint_eq(schema_read_integer(a, row, 0), 0xffff);
	ck_assert_uint_eq(schema_read_integer(b, row, 0), 0x123456789abcdef0);
	ck_assert_uint_eq(schema_read_integer(a, row, 1), 0);
	ck_assert_uint_eq(schema_read_integer(NULL, row, 0), 0);
	schema_destroy(schema);
}
END_TEST

UNIT_MAIN("schema_text", columns_stand_one_behind_the_other,
	  causes_of_other_lengths_keep_preempted_last,
	  a_type_without_a_known_width_makes_its_table_unusable_only,
	  an_unknown_merge_rule_keeps_the_first_value, another_version_is_refused,
	  broken_lines_do_no_harm, integers_of_all_widths_are_read_and_written)
