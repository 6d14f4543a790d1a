/* SPDX-License-Identifier: MIT */
/* What identifies the same figure in different runs: a routine, an object, a place.
 *
 * Programs are rebuilt and moved between runs: keys contain no line numbers, no directories, no
 * addresses of objects, and not how many objects have one name. They are readable as well. Context:
 * pure but for names. All results are released by the caller. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/sync/sync_object.h"

/* "insert (words)", "[unsampled]": the routine and the file name of its module. */
char *figure_key_routine(const struct names *names, size_t routine);
/* "mutex queue_lock", "mutex created at main (x.c)". */
char *figure_key_object(const struct sync_object *object);
/* "insert (x.c)": the routine and the name of its source file. */
char *figure_key_place(const struct names *names, size_t routine);
/* Removes ":12" from "created at main (x.c:12)", wherever it occurs. */
char *figure_key_without_lines(const char *text);
