/* SPDX-License-Identifier: MIT */
#include "analyze/diff/figures.h"
#include "analyze/model/common/names.h"
#include "analyze/model/sync/sync_object.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static void check(char *key, const char *wanted)
{
	ck_assert_str_eq(key, wanted);
	free(key);
}

static char *object_key(const char *kind, const char *stem)
{
	struct sync_object object = {.kind = kind, .stem = stem};

	return figure_key_object(&object);
}

START_TEST(routines_lose_the_directory_of_their_module)
{
	struct symbolizer *symbolizer = symbolizer_create(NULL);
	struct names *names = names_create(symbolizer);

	check(figure_key_routine(names, names_number(names, "insert", "/a/b/words", "/src/x.c")),
	      "insert (words)");
	check(figure_key_routine(names, names_number(names, "insert", "/elsewhere/words", NULL)),
	      "insert (words)");
	check(figure_key_routine(names, names_special(names, "[unsampled]")), "[unsampled]");
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

START_TEST(places_have_a_file_but_no_line)
{
	struct symbolizer *symbolizer = symbolizer_create(NULL);
	struct names *names = names_create(symbolizer);

	check(figure_key_place(names, names_number(names, "insert", "/a/words", "/src/x.c")),
	      "insert (x.c)");
	check(figure_key_place(names, names_number(names, "insert", "/a/words", NULL)), "insert");
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}
END_TEST

START_TEST(objects_lose_the_line_of_their_birth)
{
	check(object_key("mutex", "queue_lock"), "mutex queue_lock");
	check(object_key("mutex", "created at main (x.c:12)"), "mutex created at main (x.c)");
	check(object_key("ordered", "ordered in f (x.c:7)"), "ordered ordered in f (x.c)");
	check(object_key("join", "thread worker"), "join thread worker");
}
END_TEST

START_TEST(colons_of_names_are_no_lines)
{
	check(object_key("mutex", "a::b(int)"), "mutex a::b(int)");
	check(object_key("mutex", "first used at a::b() (x.cc)"),
	      "mutex first used at a::b() (x.cc)");
	check(object_key("mutex", "f(:)"), "mutex f(:)");
	check(object_key("mutex", ""), "mutex ");
}
END_TEST

UNIT_MAIN("figure_key", routines_lose_the_directory_of_their_module, places_have_a_file_but_no_line,
	  objects_lose_the_line_of_their_birth, colons_of_names_are_no_lines)
