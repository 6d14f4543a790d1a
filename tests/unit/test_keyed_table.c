/* SPDX-License-Identifier: MIT */
#include "analyze/base/keyed_table.h"

#include "analyze/base/key_hash.h"
#include "tests/unit/unit.h"

#include <string.h>

struct pair {
	size_t key, value;
};

struct word {
	size_t value;
	const char *text;
};

static struct keyed_table *make_pairs(void)
{
	return keyed_table_create(sizeof(struct pair), sizeof(size_t));
}

static unsigned hash_word(const void *row)
{
	return hash_text(((const struct word *)row)->text, 0);
}

/* Words of one hash are told apart by their texts alone. */
static unsigned hash_all_alike(const void *row)
{
	(void)row;
	return 7;
}

static bool are_words_equal(const void *a, const void *b)
{
	return !strcmp(((const struct word *)a)->text, ((const struct word *)b)->text);
}

START_TEST(only_the_key_decides)
{
	struct keyed_table *table = make_pairs();
	bool is_new;
	struct pair *first = keyed_table_enter(table, &(struct pair){1, 10}, &is_new);

	ck_assert(is_new);
	ck_assert_uint_eq(first->value, 10);
	ck_assert_ptr_eq(keyed_table_enter(table, &(struct pair){1, 20}, &is_new), first);
	ck_assert(!is_new);
	ck_assert_uint_eq(first->value, 10);
	ck_assert_ptr_ne(keyed_table_enter(table, &(struct pair){2, 10}, NULL), first);
	ck_assert_uint_eq(keyed_table_count(table), 2);
	keyed_table_destroy(table);
}
END_TEST

START_TEST(finding_enters_nothing)
{
	struct keyed_table *table = make_pairs();

	ck_assert_ptr_null(keyed_table_find(table, &(struct pair){3, 0}));
	ck_assert_uint_eq(keyed_table_count(table), 0);
	struct pair *row = keyed_table_enter(table, &(struct pair){3, 0}, NULL);

	ck_assert_ptr_eq(keyed_table_find(table, &(struct pair){3, 5}), row);
	keyed_table_destroy(table);
}
END_TEST

START_TEST(rows_are_numbered_as_they_come_and_stay_where_they_are)
{
	struct keyed_table *table = make_pairs();
	const struct pair *first = keyed_table_enter(table, &(struct pair){0, 0}, NULL);

	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < 10000; i++)
			ck_assert_uint_eq(keyed_table_number(table, &(struct pair){i * 64, i}), i);
	ck_assert_uint_eq(keyed_table_count(table), 10000);
	ck_assert_ptr_eq(keyed_table_row(table, 0), first);
	for (size_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(((struct pair *)keyed_table_row(table, i))->value, i);
	keyed_table_destroy(table);
}
END_TEST

START_TEST(keys_may_be_what_two_functions_say)
{
	unsigned (*hashes[])(const void *) = {hash_word, hash_all_alike};
	char copy[] = "one";

	for (size_t i = 0; i < 2; i++) {
		struct keyed_table *table =
			keyed_table_create_by(sizeof(struct word), hashes[i], are_words_equal);

		ck_assert_uint_eq(keyed_table_number(table, &(struct word){1, "one"}), 0);
		ck_assert_uint_eq(keyed_table_number(table, &(struct word){2, "two"}), 1);
		ck_assert_uint_eq(keyed_table_number(table, &(struct word){3, copy}), 0);
		ck_assert_ptr_null(keyed_table_find(table, &(struct word){1, "three"}));
		keyed_table_destroy(table);
	}
}
END_TEST

START_TEST(no_table_is_no_trouble)
{
	keyed_table_destroy(NULL);
}
END_TEST

START_TEST(parts_of_a_hash_have_an_order)
{
	ck_assert_uint_ne(hash_text("b", hash_text("a", 0)), hash_text("a", hash_text("b", 0)));
	ck_assert_uint_eq(hash_text("ab", 1), hash_bytes("ab", 2, 1));
}
END_TEST

UNIT_MAIN("keyed_table", only_the_key_decides, finding_enters_nothing,
	  rows_are_numbered_as_they_come_and_stay_where_they_are,
	  keys_may_be_what_two_functions_say, no_table_is_no_trouble, parts_of_a_hash_have_an_order)
