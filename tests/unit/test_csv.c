/* SPDX-License-Identifier: MIT */
#include "analyze/print/csv.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

static void check(const char *json, size_t top, const char *wanted)
{
	struct json_object *value = json_tokener_parse(json);
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	csv_print(out, value, top, "a,b");
	fclose(out);
	ck_assert_str_eq(text, wanted);
	free(text);
	json_object_put(value);
}

START_TEST(a_list_of_objects_is_a_table)
{
	check("[{\"rank\": 0, \"name\": \"a\"}, {\"rank\": 1, \"name\": null}]", 0,
	      "rank,name\n0,a\n1,\n");
}
END_TEST

/* A row that lacks a key, or has one more, shifts nothing. */
START_TEST(rows_may_differ_in_their_keys)
{
	check("[{\"a\": 1, \"c\": 3}, {\"c\": 33, \"b\": 22}, {\"a\": 111}]", 0,
	      "a,c,b\n1,3,\n,33,22\n111,,\n");
}
END_TEST

START_TEST(what_would_end_a_cell_is_quoted)
{
	check("[{\"f(int, int)\": \"say \\\"x\\\"\", \"b\": \"two\\nlines\"}]", 0,
	      "\"f(int, int)\",b\n\"say \"\"x\"\"\",\"two\nlines\"\n");
}
END_TEST

START_TEST(objects_inside_become_columns_and_lists_stay_json)
{
	check("[{\"waits\": {\"mutex\": 1.5, \"mpi\": 2}, \"late\": [{\"rank\": 1}]}]", 0,
	      "waits.mutex,waits.mpi,late\n1.5,2,\"[{\"\"rank\"\":1}]\"\n");
}
END_TEST

START_TEST(an_object_is_a_table_of_names_and_values)
{
	check("{\"grade\": \"exact\", \"levels\": [{\"active\": 0}, {\"active\": 1}], \"x\": null}",
	      0, "name,value\ngrade,exact\nlevels.0.active,0\nlevels.1.active,1\nx,\n");
}
END_TEST

START_TEST(texts_rows_and_nothing)
{
	check("[\"one, and\", \"two\", \"three\"]", 2, "text\n\"one, and\"\ntwo\n");
	check("[]", 0, "a,b\n");
	check("null", 0, "a,b\n");
}
END_TEST

UNIT_MAIN("csv", a_list_of_objects_is_a_table, rows_may_differ_in_their_keys,
	  what_would_end_a_cell_is_quoted, objects_inside_become_columns_and_lists_stay_json,
	  an_object_is_a_table_of_names_and_values, texts_rows_and_nothing)
