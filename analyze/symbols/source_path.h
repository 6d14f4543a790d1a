/* SPDX-License-Identifier: MIT */
/* Where a source file that debugging information names may lie on this machine.
 *
 * Looks at texts only and opens nothing: whoever asks tries the paths one after the other.
 * Context: everything in analyze/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct source_paths;

/* The path of a file in a directory, without ".", ".." and needless slashes, as a text: so that one
 * file has one name, and two files have two. directory NULL: not known. Released by the caller. */
char *source_path_in(const char *directory, const char *file);

/* maps: what the user said, each "FROM=TO" (what was compiled below FROM lies below TO) or "DIR" (a
 * tree in which a file is looked for by the tail of its path); so a DIR has no '=' in its name. */
struct source_paths *source_paths_create(const char *const *maps, size_t count);
void source_paths_destroy(struct source_paths *paths); /* NULL: nothing */

/* Gives is_it one path after the other, until it says that this is it; false: none was. They are,
 * in this order:
 *   1. TO/rest of each map whose FROM leads to the name, component by component
 *   2. the name, if it is absolute
 *   3. DIR/tail of each DIR, from the longest tail of the name's components to the last alone
 *   4. the name, if it is relative: to the current directory, since its own is not known; hence
 *      after what the user said
 *   5. the same as in 3, in the trees where distributions put sources
 * In all but 2 and 4 the name has lost its "." and "..", as a text: the directories that it leads
 * through need not exist here. A name that is empty, or longer than a path can be, has none. */
bool source_paths_try(const struct source_paths *paths, const char *name,
		      bool (*is_it)(const char *path, void *context), void *context);
