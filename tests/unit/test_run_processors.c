/* SPDX-License-Identifier: MIT */
#include "analyze/model/run_processors.h"
#include "tests/unit/unit.h"

struct part {
	const char *host;
	uint64_t size, first, online;
};

static uint64_t count(const struct part *parts, size_t part_count)
{
	static const char *const hosts[] = {"a", "b"};
	struct run_process files[8] = {0};
	struct process processes[8] = {0};

	for (size_t i = 0; i < part_count; i++) {
		files[i].process.host = hosts[*parts[i].host - 'a'];
		files[i].process.processors = parts[i].size;
		files[i].process.processor_first = parts[i].first;
		files[i].process.processors_online = parts[i].online;
		processes[i].file = &files[i];
	}
	return run_count_processors(processes, part_count, hosts, 2);
}

#define COUNT(...)                                                                                 \
	count((const struct part[]){__VA_ARGS__},                                                  \
	      sizeof((const struct part[]){__VA_ARGS__}) / sizeof(struct part))

START_TEST(bound_ranks_have_the_union_of_their_parts)
{
	ck_assert_uint_eq(COUNT({"a", 1, 1, 8}, {"a", 1, 2, 8}), 2);
	ck_assert_uint_eq(COUNT({"a", 4, 1, 8}, {"a", 4, 5, 8}, {"b", 4, 1, 8}), 12);
}
END_TEST

START_TEST(ranks_that_share_processors_do_not_count_them_twice)
{
	ck_assert_uint_eq(COUNT({"a", 4, 1, 8}, {"a", 4, 1, 8}, {"a", 4, 1, 8}), 4);
}
END_TEST

/* mpirun may use all of them, its ranks one each. */
START_TEST(no_host_has_more_than_it_has)
{
	ck_assert_uint_eq(COUNT({"a", 8, 1, 8}, {"a", 1, 1, 8}, {"a", 1, 2, 8}), 8);
}
END_TEST

START_TEST(profiles_without_the_columns_give_the_largest_part)
{
	ck_assert_uint_eq(COUNT({"a", 2, 0, 0}, {"a", 3, 0, 0}), 3);
}
END_TEST

UNIT_MAIN("run_processors", bound_ranks_have_the_union_of_their_parts,
	  ranks_that_share_processors_do_not_count_them_twice, no_host_has_more_than_it_has,
	  profiles_without_the_columns_give_the_largest_part)
