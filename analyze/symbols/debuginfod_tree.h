/* SPDX-License-Identifier: MIT */
/* Where debuginfod's files of an object with a build-id lie on this machine: in the cache of its
 * client (elfutils, debuginfod-client-config(7)), which has what a debugger fetched earlier, and in
 * directories laid out like that cache or like what a server offers (debuginfod(8)):
 *
 *   DIR/BUILD-ID/debuginfo                     DIR/buildid/BUILD-ID/debuginfo
 *   DIR/BUILD-ID/source##usr##src##file.c      DIR/buildid/BUILD-ID/source/usr/src/file.c
 *
 * Nothing is fetched. Context: the analyzer; opens nothing itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Gives is_it one path after the other, until it says that this is it; false: none was. source: the
 * absolute path of a source file as debugging information has it; NULL: the debugging information.
 * directory: one of the user's, or NULL: the client's cache. */
bool debuginfod_tree_try(const char *directory, const char *build_id, const char *source,
			 bool (*is_it)(const char *path, void *context), void *context);
