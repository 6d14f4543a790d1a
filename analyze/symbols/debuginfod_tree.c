/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/debuginfod_tree.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/user_cache.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* As the client names a source: '/' is "##", '#' is "#_". */
static char *name_of(const char *path)
{
	char *name = memory_allocate(2 * strlen(path) + sizeof "source", 1);
	char *at = stpcpy(name, "source");

	for (; *path; path++) {
		*at++ = *path == '/' ? '#' : *path;
		if (*path == '/' || *path == '#')
			*at++ = *path == '/' ? '#' : '_';
	}
	return name;
}

/* As newer clients name it: a hash of the path (D. J. Bernstein's, times 33), and
 * the end of the path, with '#' for all that is no letter, digit, dot, minus or underscore. */
static char *newer_name_of(const char *path)
{
	enum { END_MOST = 117 };
	size_t length = strlen(path), end = length < END_MOST ? length : END_MOST;
	unsigned hash = 5381;

	for (const char *at = path; *at; at++)
		hash = hash * 33 + (unsigned)*at;
	char *name = memory_print("source-%08x-%s", hash, path + length - end);

	for (char *at = name + sizeof "source-01234567"; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			*at = '#';
	return name;
}

static char *client_cache(void)
{
	const char *path = getenv("DEBUGINFOD_CACHE_PATH");

	if (path && *path)
		return memory_copy_text(path);
	char *root = user_cache_root();
	char *cache = root ? memory_print("%s/debuginfod_client", root) : NULL;

	free(root);
	return cache;
}

/* Frees the name. */
static bool try_below(const char *root, const char *middle, const char *build_id, char *name,
		      bool (*is_it)(const char *path, void *context), void *context)
{
	char *path = memory_print("%s/%s%s/%s", root, middle, build_id, name);
	bool is_found = is_it(path, context);

	free(path);
	free(name);
	return is_found;
}

bool debuginfod_tree_try(const char *directory, const char *build_id, const char *source,
			 bool (*is_it)(const char *path, void *context), void *context)
{
	char *root = directory ? memory_copy_text(directory) : client_cache();
	bool is_found = false;

	if (root && *build_id && !strchr(build_id, '/') && !source)
		is_found = try_below(root, "", build_id, memory_copy_text("debuginfo"), is_it,
				     context) ||
			   try_below(root, "buildid/", build_id, memory_copy_text("debuginfo"),
				     is_it, context);
	else if (root && *build_id && !strchr(build_id, '/') && source[0] == '/' &&
		 strnlen(source, PATH_MAX) < PATH_MAX)
		is_found = try_below(root, "", build_id, name_of(source), is_it, context) ||
			   try_below(root, "", build_id, newer_name_of(source), is_it, context) ||
			   try_below(root, "buildid/", build_id, memory_print("source%s", source),
				     is_it, context);
	free(root);
	return is_found;
}
