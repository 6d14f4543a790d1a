/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/loaded_objects.h"

#include "analyze/symbols/symbol_module.h"

#include <string.h>

struct objects {
	struct symbol_module *const *list;
	size_t count;
	bool (*is_system)(const char *path);
};

static bool is_known(void *data, const char *needed)
{
	const struct objects *objects = data;

	if (objects->is_system(needed) || !strncmp(needed, "libm.", 5))
		return true;
	for (size_t i = 0; i < objects->count; i++) {
		const char *name = objects->list[i]->short_name;
		size_t length = strlen(name) < strlen(needed) ? strlen(name) : strlen(needed);

		if (!strncmp(name, needed, length)) /* libx.so.1 is a link to libx.so.1.2 */
			return true;
	}
	return false;
}

bool loaded_objects_are_known(struct symbol_module *const *modules, size_t count,
			      bool (*is_system)(const char *path))
{
	struct objects objects = {modules, count, is_system};

	for (size_t i = 0; i < count; i++) {
		if (is_system(modules[i]->path))
			continue;
		symbol_module_open(modules[i]);
		if (!symbol_file_each_needed(&modules[i]->file, is_known, &objects))
			return false;
	}
	return true;
}
