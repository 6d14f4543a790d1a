/* SPDX-License-Identifier: MIT */
/* What makes a figure of one run the same figure of another one: a routine, an object, a place.
 *
 * Programs are rebuilt and moved between runs: keys bear no line numbers, no directories, no
 * addresses of objects and not how many objects have one name. They are fit to be read as well.
 * Context: pure but for names. All results are released by the caller. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/sync/sync_object.h"

/* "insert (words)", "[unsampled]": the routine and the file name of its module. */
char *figure_key_routine(const struct names *names, size_t routine);
/* "mutex queue_lock", "mutex created at main (x.c)". */
char *figure_key_object(const struct sync_object *object);
/* "insert (x.c)": the routine and the name of its source file. */
char *figure_key_place(const struct names *names, size_t routine);
/* "created at main (x.c:12)" without ":12", wherever it stands. */
char *figure_key_without_lines(const char *text);
