/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/source_path.h"

#include "analyze/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Neither text ends in a slash, so the root directory is "". */
struct map {
	char *from; /* NULL: `to` is a tree */
	char *to;
};

struct source_paths {
	struct map *maps;
	size_t count;
};

struct search {
	const struct source_paths *paths;
	const char *plain; /* the name without "." and ".." */
	bool (*is_it)(const char *path, void *context);
	void *context;
};

static const char *const system_trees[] = {"/usr/src/debug", "/usr/lib/debug/source"};

/* One component more; returns the new length. */
static size_t add_component(char *path, size_t length, const char *component, size_t bytes,
			    bool is_absolute)
{
	if (length || is_absolute)
		path[length++] = '/';
	memcpy(path + length, component, bytes);
	return length + bytes;
}

/* The path without ".", ".." and needless slashes; "": the root directory; ".": the current one. A
 * relative path keeps the ".." that it begins with. */
static char *make_plain(const char *path)
{
	char *plain = memory_allocate(strlen(path) + 2, 1);
	bool is_absolute = path[0] == '/';
	size_t length = 0, kept = 0; /* kept: bytes of the ".." at the beginning */

	for (const char *at = path + strspn(path, "/"); *at; at += strspn(at, "/")) {
		size_t bytes = strcspn(at, "/");
		bool is_up = bytes == 2 && at[0] == '.' && at[1] == '.';
		if (is_up && length > kept) {
			const char *slash = memrchr(plain + kept, '/', length - kept);
			length = slash ? (size_t)(slash - plain) : kept;
		} else if (is_up ? !is_absolute : bytes > 1 || at[0] != '.') {
			length = add_component(plain, length, at, bytes, is_absolute);
			kept = is_up ? length : kept;
		}
		at += bytes;
	}
	plain[length] = '\0';
	if (!length && !is_absolute)
		strcpy(plain, ".");
	return plain;
}

/* Readers of debugging information join some names themselves. */
static bool is_joined(const char *directory, const char *file)
{
	size_t length = strlen(directory);

	return file[0] == '/' || (!strncmp(file, directory, length) && file[length] == '/');
}

char *source_path_in(const char *directory, const char *file)
{
	if (!directory || is_joined(directory, file))
		return make_plain(file);
	char *joined = memory_print("%s/%s", directory, file);
	char *plain = make_plain(joined);
	free(joined);
	return plain;
}

static char *without_last_slashes(const char *text)
{
	char *copy = memory_copy_text(text);

	for (size_t length = strlen(copy); length && copy[length - 1] == '/'; length--)
		copy[length - 1] = '\0';
	return copy;
}

static struct map make_map(const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals)
		return (struct map){.to = without_last_slashes(text)};
	char *from = memory_print("%.*s", (int)(equals - text), text);
	struct map map = {make_plain(from), without_last_slashes(equals + 1)};
	free(from);
	return map;
}

struct source_paths *source_paths_create(const char *const *maps, size_t count)
{
	struct source_paths *paths = memory_allocate(1, sizeof *paths);

	paths->maps = memory_allocate(count, sizeof *paths->maps);
	for (size_t i = 0; i < count; i++)
		if (maps[i][0]) /* an empty text would be the root directory */
			paths->maps[paths->count++] = make_map(maps[i]);
	return paths;
}

void source_paths_destroy(struct source_paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->count; i++) {
		free(paths->maps[i].from);
		free(paths->maps[i].to);
	}
	free(paths->maps);
	free(paths);
}

/* Frees the path. */
static bool try_path(const struct search *search, char *path)
{
	bool is_found = search->is_it(path, search->context);

	free(path);
	return is_found;
}

/* What follows the directory in the name: "" or from a slash on; NULL: the name is not below. */
static const char *rest_below(const char *directory, const char *name)
{
	size_t length = strlen(directory);

	if (strncmp(name, directory, length) != 0)
		return NULL;
	return name[length] == '/' || !name[length] ? name + length : NULL;
}

static bool try_replaced(const struct search *search)
{
	for (size_t i = 0; i < search->paths->count; i++) {
		const struct map *map = &search->paths->maps[i];
		const char *rest = map->from ? rest_below(map->from, search->plain) : NULL;
		if (rest && try_path(search, memory_print("%s%s", map->to, rest)))
			return true;
	}
	return false;
}

/* No tail begins with "..", which would lead out of the tree. */
static bool try_tails(const struct search *search, const char *tree)
{
	const char *tail = search->plain + strspn(search->plain, "/");

	while (strncmp(tail, "../", 3) == 0)
		tail += 3;
	if (!*tail || strcmp(tail, ".") == 0 || strcmp(tail, "..") == 0)
		return false;
	while (!try_path(search, memory_print("%s/%s", tree, tail))) {
		const char *slash = strchr(tail, '/');
		if (!slash)
			return false;
		tail = slash + 1;
	}
	return true;
}

static bool try_trees(const struct search *search)
{
	for (size_t i = 0; i < search->paths->count; i++)
		if (!search->paths->maps[i].from && try_tails(search, search->paths->maps[i].to))
			return true;
	return false;
}

static bool try_system_trees(const struct search *search)
{
	for (size_t i = 0; i < sizeof system_trees / sizeof system_trees[0]; i++)
		if (try_tails(search, system_trees[i]))
			return true;
	return false;
}

bool source_paths_try(const struct source_paths *paths, const char *name,
		      bool (*is_it)(const char *path, void *context), void *context)
{
	bool is_absolute = name[0] == '/';

	/* A name of a megabyte has so many tails that trying them would take for ever. */
	if (!name[0] || strnlen(name, PATH_MAX) == PATH_MAX)
		return false;
	char *plain = make_plain(name);
	struct search search = {paths, plain, is_it, context};
	bool is_found = try_replaced(&search) || (is_absolute && is_it(name, context)) ||
			try_trees(&search) || (!is_absolute && is_it(name, context)) ||
			try_system_trees(&search);
	free(plain);
	return is_found;
}
