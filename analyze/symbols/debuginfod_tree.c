/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/debuginfod_tree.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/user_cache.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* As the client writes a path into one name: '/' is "##", '#' is "#_". */
static char *escaped(const char *path)
{
	char *name = memory_allocate(2 * strlen(path) + 1, 1), *at = name;

	for (; *path; path++) {
		*at++ = *path == '/' ? '#' : *path;
		if (*path == '/' || *path == '#')
			*at++ = *path == '/' ? '#' : '_';
	}
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

bool debuginfod_tree_try(const char *directory, const char *build_id, const char *source,
			 bool (*is_it)(const char *path, void *context), void *context)
{
	char *root = directory ? memory_copy_text(directory) : client_cache();
	bool is_found = false;

	if (root && *build_id && !strchr(build_id, '/') &&
	    (!source || (source[0] == '/' && strnlen(source, PATH_MAX) < PATH_MAX))) {
		char *name = source ? escaped(source) : NULL;
		char *kept = memory_print("%s/%s/%s%s", root, build_id,
					  source ? "source" : "debuginfo", source ? name : "");
		char *served = memory_print("%s/buildid/%s/%s%s", root, build_id,
					    source ? "source" : "debuginfo", source ? source : "");

		is_found = is_it(kept, context) || is_it(served, context);
		free(name);
		free(kept);
		free(served);
	}
	free(root);
	return is_found;
}
