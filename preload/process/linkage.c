/* SPDX-License-Identifier: MIT */
#include "preload/process/linkage.h"

#include "preload/base/direct.h"
#include "preload/process/entry.h"
#include "preload/process/module_map.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

void *linkage_open(uint64_t address)
{
	int saved = errno;
	const char *file;
	void *object = NULL;

	if (linkage_base((const void *)address, &file)) {
		object = direct.dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
		if (!object)
			direct.dlerror();
	}
	errno = saved;
	return object;
}

void linkage_close(void *object)
{
	int saved = errno;

	if (object)
		direct.dlclose(object);
	errno = saved;
}

void *linkage_search(void *object, const char *name)
{
	int saved = errno;
	void *found = object ? direct.dlsym(object, name) : entry_behind(name, NULL);

	if (!found)
		direct.dlerror();
	errno = saved;
	return module_map_is_own((uint64_t)found) ? NULL : found;
}

void *linkage_of_caller(const char *name, uint64_t caller)
{
	void *object = linkage_open(caller);
	void *found = object ? linkage_search(object, name) : NULL;

	linkage_close(object);
	return found;
}

void *linkage_find(const char *name, uint64_t caller)
{
	void *behind = linkage_behind(name);

	if (behind && linkage_was_there(behind, caller))
		return behind;
	void *own = linkage_of_caller(name, caller);
	return own ? own : behind;
}

const void *linkage_base(const void *address, const char **file)
{
	Dl_info info;

	*file = "";
	direct_need();
	if (!address || !direct.dladdr(address, &info))
		return NULL;
	*file = info.dli_fname ? info.dli_fname : "";
	return info.dli_fbase;
}

static const struct link_map *map_of(const void *address)
{
	struct link_map *map;
	Dl_info info;

	return direct.dladdr1(address, &info, (void **)(void *)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

/* The loader's list is in the order of loading. */
bool linkage_was_there(const void *found, uint64_t caller)
{
	if (module_map_is_permanent((uint64_t)found))
		return true;
	const struct link_map *map = map_of(found), *wanted = map_of((const void *)caller);
	while (map && map != wanted)
		map = map->l_next;
	return map != NULL;
}

void linkage_keep(const void *address)
{
	int saved = errno;
	const char *file;

	if (module_map_is_permanent((uint64_t)address) || !linkage_base(address, &file))
		return;
	if (!direct.dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
		direct.dlerror();
	errno = saved;
}
