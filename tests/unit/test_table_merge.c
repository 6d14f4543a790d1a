/* SPDX-License-Identifier: MIT */
#include "analyze/tables/table_merge.h"
#include "tests/unit/unit.h"

#include <stdint.h>
#include <string.h>

struct row {
	uint8_t key, sum, min, max, first, last;
	char name[2];
	uint32_t histogram[2];
};

static const char text[] =
	"ptrace schema 1\ntable t: \n"
	"column u8 k none key key: \ncolumn u8 a none value sum: \ncolumn u8 b none value min: \n"
	"column u8 c none value max: \ncolumn u8 d none value first: \ncolumn u8 e none value last: \n"
	"column text2 f none value last: \ncolumn hist2 g ns value histogram: \n";

static struct schema *schema;
static struct row_set *set;

static void start(void)
{
	const char *problem;

	schema = schema_parse(text, strlen(text), &problem);
	set = row_set_create(&schema->tables[0]);
}

static void finish(void)
{
	row_set_destroy(set);
	schema_destroy(schema);
}

static void add(struct row row, uint32_t owner)
{
	row_set_add(set, (const unsigned char *)&row, owner);
}

static struct row row_at(size_t index)
{
	struct row row;
	uint32_t owner;

	memcpy(&row, row_set_row(set, index, &owner), sizeof row);
	return row;
}

START_TEST(values_of_equal_keys_unite_by_their_rules)
{
	start();
	add((struct row){1, 10, 5, 5, 7, 7, "a", {1, 2}}, 0);
	add((struct row){1, 20, 3, 9, 8, 8, "b", {10, 20}}, 0);
	ck_assert_uint_eq(row_set_count(set), 1);

	struct row row = row_at(0);

	ck_assert_uint_eq(row.sum, 30);
	ck_assert_uint_eq(row.min, 3);
	ck_assert_uint_eq(row.max, 9);
	ck_assert_uint_eq(row.first, 7);
	ck_assert_uint_eq(row.last, 8);
	ck_assert_str_eq(row.name, "b");
	ck_assert_uint_eq(row.histogram[0], 11);
	ck_assert_uint_eq(row.histogram[1], 22);
	finish();
}
END_TEST

START_TEST(rows_of_other_keys_or_owners_stay_apart)
{
	start();
	add((struct row){.key = 1, .sum = 1}, 0);
	add((struct row){.key = 2, .sum = 2}, 0);
	add((struct row){.key = 1, .sum = 4}, 1);
	ck_assert_uint_eq(row_set_count(set), 3);
	ck_assert_uint_eq(row_at(2).sum, 4);
	finish();
}
END_TEST

START_TEST(many_rows_unite)
{
	start();
	for (unsigned i = 0; i < 10000; i++)
		add((struct row){.key = (uint8_t)i, .histogram = {i}}, i % 3);
	ck_assert_uint_eq(row_set_count(set), 3 * 256);
	finish();
}
END_TEST

UNIT_MAIN("table_merge", values_of_equal_keys_unite_by_their_rules,
	  rows_of_other_keys_or_owners_stay_apart, many_rows_unite)
