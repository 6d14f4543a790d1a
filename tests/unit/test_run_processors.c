/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_processors.h"
#include "tests/unit/unit.h"

struct part {
	const char *host;
	uint64_t size, first, online;
	bool is_replaced;
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
		if (parts[i].is_replaced)
			processes[i].life.state = LIFE_REPLACED;
	}
	return run_count_processors(processes, part_count, hosts, 2);
}

#define COUNT(...)                                                                                 \
	count((const struct part[]){__VA_ARGS__},                                                  \
	      sizeof((const struct part[]){__VA_ARGS__}) / sizeof(struct part))

START_TEST(bound_ranks_have_the_union_of_their_parts)
{
	ck_assert_uint_eq(COUNT({"a", 1, 1, 8, false}, {"a", 1, 2, 8, false}), 2);
	ck_assert_uint_eq(
		COUNT({"a", 4, 1, 8, false}, {"a", 4, 5, 8, false}, {"b", 4, 1, 8, false}), 12);
}
END_TEST

START_TEST(ranks_that_share_processors_do_not_count_them_twice)
{
	ck_assert_uint_eq(
		COUNT({"a", 4, 1, 8, false}, {"a", 4, 1, 8, false}, {"a", 4, 1, 8, false}), 4);
}
END_TEST

/* mpirun may use all of them, its ranks one each. */
START_TEST(no_host_has_more_than_it_has)
{
	ck_assert_uint_eq(
		COUNT({"a", 8, 1, 8, false}, {"a", 1, 1, 8, false}, {"a", 1, 2, 8, false}), 8);
}
END_TEST

START_TEST(profiles_without_the_columns_give_the_largest_part)
{
	ck_assert_uint_eq(COUNT({"a", 2, 0, 0, false}, {"a", 3, 0, 0, false}), 3);
}
END_TEST

START_TEST(what_exec_replaced_does_not_count)
{
	ck_assert_uint_eq(COUNT({"a", 8, 1, 8, true}, {"a", 1, 3, 8, false}), 1);
	ck_assert_uint_eq(COUNT({"a", 8, 1, 8, true}), 8);
}
END_TEST

UNIT_MAIN("run_processors", bound_ranks_have_the_union_of_their_parts,
	  ranks_that_share_processors_do_not_count_them_twice, no_host_has_more_than_it_has,
	  profiles_without_the_columns_give_the_largest_part, what_exec_replaced_does_not_count)
