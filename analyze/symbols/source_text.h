/* SPDX-License-Identifier: MIT */
/* The text of source files that debugging information names by a path, so that lines can be shown
 * beside figures; and whether it is the text that was compiled.
 *
 * Debugging information has paths of the machine that compiled: source_path.h says where else a
 * file is looked for, after what debuginfod has of the object (debuginfod_tree.h). The first
 * regular file that can be opened is taken. What is in a name or a file is trusted in nothing: no
 * file that would block is opened, and of a file no more than 16 MiB is read. Context: everything
 * in analyze/ that may open files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_texts; /* all files that were asked for, each read once */

struct source_text {
	const char *path;         /* where the file was found; NULL: there is none to open */
	const char *problem;      /* why there is no text, or why it may not be the one that was
				     compiled: a clause that follows a name; NULL: it fits */
	bool is_fitting;          /* false: it must not be shown as if it fitted */
	const char *const *lines; /* without line ends; lines[0] is line 1. Any bytes but NUL: UTF-8
				     is not sure. NULL: there is no text */
	size_t count;
};

/* maps: as of source_paths_create, whether FROM=TO or DIR. run_ns: when the run began, ns since
 * 1970; what was modified later was not compiled before, whatever became of the program since; 0:
 * not known. */
struct source_texts *source_texts_create(const char *const *maps, size_t count, uint64_t run_ns);
void source_texts_destroy(struct source_texts *texts); /* NULL: nothing */

/* What is known of the objects that the code was compiled into, by their paths. Sources that are
 * found by it are those that were compiled, whatever their time. */
struct source_origin {
	const void *context;
	/* NULL: not known */
	const char *(*build_id_of)(const void *context, const char *object);
	/* a text in the object's debugging information; NULL: none */
	const char *(*embedded_in)(const void *context, const char *object, const char *name);
	/* the user's directories that may have sources of debuginfod, beside its client's cache */
	const char *const *trees;
	size_t tree_count;
};

/* What it points to must live as long as texts are asked for. */
void source_texts_use_origin(struct source_texts *texts, const struct source_origin *origin);

/* built_in: path of the object file that the code was compiled into, "": not known. A source that
 * was modified later than that file is newer than the program; of one that was modified at the same
 * time, or whose object is not known, nothing is said. last_line: the largest line that the figures
 * name, 0: none; a file with fewer lines is another one. The answer lives as long as texts. */
const struct source_text *source_texts_find(struct source_texts *texts, const char *name,
					    const char *built_in, unsigned last_line);
