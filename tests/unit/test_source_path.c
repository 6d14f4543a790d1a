/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/source_path.h"
#include "tests/unit/unit.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was tried, a line for each path. */
static struct {
	char text[4096];
	const char *wanted; /* the path at which to stop; NULL: none */
} tried;

static bool note(const char *path, void *context)
{
	(void)context;
	ck_assert_uint_lt(strlen(tried.text) + strlen(path) + 2, sizeof tried.text);
	strcat(tried.text, path);
	strcat(tried.text, "\n");
	return tried.wanted && strcmp(path, tried.wanted) == 0;
}

#define SYSTEM(tail) "/usr/src/debug/" tail "\n"
#define SOURCE(tail) "/usr/lib/debug/source/" tail "\n"

#define ASSERT_STOPS(at, name, expected, ...)                                                      \
	do {                                                                                       \
		const char *const maps[] = {__VA_ARGS__};                                          \
		struct source_paths *paths =                                                       \
			source_paths_create(maps, sizeof maps / sizeof maps[0]);                   \
		tried.text[0] = '\0';                                                              \
		tried.wanted = at;                                                                 \
		bool is_found = source_paths_try(paths, name, note, NULL);                         \
		ck_assert_int_eq(is_found, tried.wanted != NULL);                                  \
		ck_assert_str_eq(tried.text, expected);                                            \
		source_paths_destroy(paths);                                                       \
	} while (0)
#define ASSERT_TRIES(name, expected, ...) ASSERT_STOPS(NULL, name, expected, __VA_ARGS__)

START_TEST(an_absolute_name_comes_before_trees)
{
	ASSERT_TRIES("/b/src/a.c",
		     "/new/src/a.c\n"
		     "/b/src/a.c\n"
		     "/t/b/src/a.c\n/t/src/a.c\n/t/a.c\n"
		     "u/b/src/a.c\nu/src/a.c\nu/a.c\n" SYSTEM("b/src/a.c") SYSTEM("src/a.c")
			     SYSTEM("a.c") SOURCE("b/src/a.c") SOURCE("src/a.c") SOURCE("a.c"),
		     "/t", "/b=/new", "u/");
}
END_TEST

START_TEST(a_relative_name_comes_after_the_users_trees)
{
	ASSERT_TRIES("src/a.c",
		     "/new/a.c\n"
		     "/t/src/a.c\n/t/a.c\n"
		     "src/a.c\n" SYSTEM("src/a.c") SYSTEM("a.c") SOURCE("src/a.c") SOURCE("a.c"),
		     "src=/new", "/t");
}
END_TEST

/* Up to the name itself, which is the first without a map. */
#define ASSERT_MAPS(map, name, expected) ASSERT_STOPS(name, name, expected name "\n", map)

START_TEST(a_prefix_ends_where_a_component_ends)
{
	ASSERT_MAPS("/b/src=/n", "/b/src/a.c", "/n/a.c\n");
	ASSERT_MAPS("/b/src/=/n/", "/b/src/a.c", "/n/a.c\n");
	ASSERT_MAPS("//b/./src=/n", "/b/src/a.c", "/n/a.c\n");
	ASSERT_MAPS("/b/sr=/n", "/b/src/a.c", "");
	ASSERT_MAPS("/b/src/a=/n", "/b/src/a.c", "");
	ASSERT_MAPS("b=/n", "/b/src/a.c", "");
	ASSERT_MAPS("/b/src/a.c/d=/n", "/b/src/a.c", "");
}
END_TEST

START_TEST(a_map_may_be_of_a_file_or_of_the_root)
{
	ASSERT_MAPS("/b/a.c=/n/other.c", "/b/a.c", "/n/other.c\n");
	ASSERT_MAPS("/=/sysroot", "/b/a.c", "/sysroot/b/a.c\n");
	ASSERT_MAPS("/sysroot=/", "/sysroot/b/a.c", "/b/a.c\n");
	ASSERT_MAPS("/sysroot=", "/sysroot/b/a.c", "/b/a.c\n");
	ASSERT_MAPS("/b=with=sign", "/b/a.c", "with=sign/a.c\n");
	ASSERT_MAPS("=/n", "/b/a.c", "");
	ASSERT_MAPS("", "b/a.c", "");
}
END_TEST

START_TEST(maps_are_tried_in_their_order)
{
	ASSERT_STOPS("/2/a.c", "/b/s/a.c", "/1/a.c\n/2/a.c\n", "/b/s=/1", "/c=/0", "/b/s=/2",
		     "/b=/3");
	ASSERT_STOPS("/2/a.c", "/b/s/a.c", "/3/s/a.c\n/1/a.c\n/2/a.c\n", "/b=/3", "/b/s=/1",
		     "/b/s=/2");
	ASSERT_STOPS("/2/s/a.c", "/b/s/a.c",
		     "/b/s/a.c\n/1/b/s/a.c\n/1/s/a.c\n/1/a.c\n/2/b/s/a.c\n/2/s/a.c\n", "/1", "/2");
}
END_TEST

/* But for the name as it is: the kernel goes through links. */
START_TEST(dots_are_removed_as_a_text)
{
	ASSERT_MAPS("/b/src=/n", "/b/build/../src/./a.c", "/n/a.c\n");
	ASSERT_MAPS("/b=/n", "/b/../c/a.c", "");
	ASSERT_MAPS("/c=/n", "/b/../../../c//a.c", "/n/a.c\n");
	ASSERT_MAPS("/b/..c=/n", "/b/..c/a.c", "/n/a.c\n");
	ASSERT_STOPS("/t/src/.a", "/b/../src/.a", "/b/../src/.a\n/t/src/.a\n", "/t");
	ASSERT_STOPS("/t/src/a.c", "b/x/../../src/a.c", "/t/src/a.c\n", "/t");
}
END_TEST

START_TEST(no_tail_leads_out_of_its_tree)
{
	ASSERT_STOPS("/t/a.c", "../../b/../a.c", "/t/a.c\n", "/t");
	ASSERT_STOPS("/t/a.c", "../../a.c", "/n/a.c\n/t/a.c\n", "../..=/n", "/t");
	ASSERT_STOPS("/t/a.c", "/../a.c", "/../a.c\n/t/a.c\n", "/t");
	ASSERT_STOPS("/t/a.c", "x/../../a.c", "/t/a.c\n", "/t");
}
END_TEST

START_TEST(the_root_may_be_a_tree)
{
	ASSERT_STOPS("/a.c", "s/a.c", "/s/a.c\n/a.c\n", "/");
}
END_TEST

START_TEST(names_of_nothing_have_no_tails)
{
	ASSERT_TRIES("", "", "/t");
	ASSERT_TRIES("/", "/\n", "/t");
	ASSERT_TRIES("///", "///\n", "/t");
	ASSERT_TRIES("/a/..", "/a/..\n", "/t");
	ASSERT_TRIES(".", ".\n", "/t");
	ASSERT_TRIES("..", "..\n", "/t");
	ASSERT_TRIES("a/..", "a/..\n", "/t");
	ASSERT_TRIES("../..", "../..\n", "/t");
}
END_TEST

/* "/aaa...", of that many bytes */
static char *name_of(size_t bytes)
{
	char *name = calloc(bytes + 1, 1);

	ck_assert_ptr_nonnull(name);
	memset(name, 'a', bytes);
	name[0] = '/';
	return name;
}

static bool count_path(const char *path, void *context)
{
	(void)path;
	++*(int *)context;
	return false;
}

START_TEST(a_name_longer_than_a_path_is_not_tried)
{
	struct source_paths *paths = source_paths_create(NULL, 0);
	char *most = name_of(PATH_MAX - 1), *more = name_of(PATH_MAX);
	int count = 0;

	ck_assert(!source_paths_try(paths, more, count_path, &count));
	ck_assert_int_eq(count, 0);
	ck_assert(!source_paths_try(paths, most, count_path, &count));
	ck_assert_int_eq(count, 3);
	free(most);
	free(more);
	source_paths_destroy(paths);
	source_paths_destroy(NULL);
}
END_TEST

static void expect_in(const char *directory, const char *file, const char *path)
{
	char *found = source_path_in(directory, file);

	ck_assert_str_eq(found, path);
	free(found);
}

START_TEST(a_file_has_one_name)
{
	expect_in("/home/a/src", "x.c", "/home/a/src/x.c");
	expect_in("/home/a/src", "../inc/./h.h", "/home/a/inc/h.h");
	expect_in("/home/a/src", "/usr//include/../x.h", "/usr/x.h");
	expect_in("./nptl", "../sysdeps/x.S", "sysdeps/x.S");
	expect_in("./nptl", "./nptl/lock.c", "nptl/lock.c");
	expect_in("./nptl", "./nptlib/lock.c", "nptl/nptlib/lock.c");
	expect_in(".", "./main.c", "main.c");
	expect_in(NULL, "a/../b.c", "b.c");
	expect_in("/a", "../../../b.c", "/b.c");
}
END_TEST

UNIT_MAIN("source_path", a_file_has_one_name, an_absolute_name_comes_before_trees,
	  a_relative_name_comes_after_the_users_trees, a_prefix_ends_where_a_component_ends,
	  a_map_may_be_of_a_file_or_of_the_root, maps_are_tried_in_their_order,
	  dots_are_removed_as_a_text, no_tail_leads_out_of_its_tree, the_root_may_be_a_tree,
	  names_of_nothing_have_no_tails, a_name_longer_than_a_path_is_not_tried)
