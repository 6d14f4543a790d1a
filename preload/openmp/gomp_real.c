/* SPDX-License-Identifier: MIT */
#include "gomp_real.h"

#include "code_map.h"
#include "lifecycle.h"
#include "omp_process.h"
#include "pages.h"
#include "settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

enum { OBJECTS = 64 }; /* callers that are remembered; further ones are searched each time */

/* An object that calls, and what it was linked with. Its address may come again for another one,
 * when it is unloaded: the name tells. Written once, then published; never changed. */
struct binding {
	uint64_t start, end, name;
	enum gomp_names names;
	const struct gomp_library *library;
};

struct gomp_library *gomp_of_all[GOMP_NAMES_COUNT];
__thread uint64_t gomp_passed_on_from;
__thread const struct gomp_library *gomp_running;

static struct gomp_library *libraries;          /* atomic: all that were met */
static const struct binding *bindings[OBJECTS]; /* atomic */

static int one(void)
{
	return 1;
}

static int zero(void)
{
	return 0;
}

static const char *const call_names[GOMP_NUMBER_COUNT] = {
#define GOMP_CALL(name, ...)  [GOMP_NUMBER_##name] = #name,
#define GOMP_TEAM(name, ...)  [GOMP_NUMBER_##name] = #name,
#define GOMP_TASKS(name, ...) [GOMP_NUMBER_##name] = #name,
#define GOMP_LOCK(name, ...)  [GOMP_NUMBER_##name] = #name,
#define GOMP_LEFT(name, why)
#include "gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LOCK
#undef GOMP_LEFT
#define KMPC_CALL(name) [GOMP_NUMBER_##name] = #name,
	KMPC_CALLS(KMPC_CALL)
#undef KMPC_CALL
};

/* By which a library is known to have these names. */
static const char *const probes[GOMP_NAMES_COUNT] = {
	[GOMP_NAMES] = "GOMP_parallel",
	[KMPC_NAMES] = "__kmpc_fork_call",
};

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0;

	while (*text)
		hash = (hash ^ (uint8_t)*text++) * 0x9e3779b97f4a7c15u;
	return hash;
}

static const void *base_of(const void *address, const char **file)
{
	Dl_info info;

	*file = "";
	if (!address || !dladdr(address, &info))
		return NULL;
	*file = info.dli_fname ? info.dli_fname : "";
	return info.dli_fbase;
}

/* ---- a library */

static void *find_or(void *searched, const char *name, int (*otherwise)(void))
{
	void *function = dlsym(searched, name);

	return function ? function : (void *)otherwise;
}

static struct gomp_library *known(enum gomp_names names, const void *base)
{
	struct gomp_library *library = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);

	while (library && (library->base != base || library->names != names))
		library = library->following;
	return library;
}

/* Two threads may do this at once, and then there are two alike. It stays loaded from now on, if it
 * could be unloaded: its threads live on, and what was found is remembered. */
static struct gomp_library *make(enum gomp_names names, void *searched, const void *base,
				 const char *file)
{
	struct gomp_library *library = pages_new(sizeof *library);
	const char *unused;

	if (!library)
		return NULL;
	for (int i = 0; i < GOMP_NUMBER_COUNT; i++)
		library->next[i] = dlsym(searched, call_names[i]);
	library->get_num_threads = (int (*)(void))find_or(searched, "omp_get_num_threads", one);
	library->get_thread_num = (int (*)(void))find_or(searched, "omp_get_thread_num", zero);
	library->get_max_threads = (int (*)(void))find_or(searched, "omp_get_max_threads", one);
	library->base = base;
	library->names = names;
	/* LLVM's runtime has an entry point that libgomp has not */
	library->is_measured = names == GOMP_NAMES && settings.openmp &&
			       base != base_of(dlsym(searched, probes[KMPC_NAMES]), &unused);
	if (!code_map_is_permanent((uint64_t)base))
		dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	if (library->is_measured)
		omp_process_found(OMP_LIBGOMP, file);
	library->following = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&libraries, &library->following, library, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return library;
}

static struct gomp_library *search(enum gomp_names names, void *searched)
{
	const char *file;
	void *found = dlsym(searched, probes[names]);
	const void *base = code_map_is_own((uint64_t)found) ? NULL : base_of(found, &file);
	struct gomp_library *library = base ? known(names, base) : NULL;

	return library || !base ? library : make(names, searched, base, file);
}

/* ---- who calls */

/* What the caller's own object was linked with. It is not kept from being unloaded for that. */
static struct gomp_library *search_from(enum gomp_names names, uint64_t caller)
{
	const char *file;

	if (!base_of((const void *)caller, &file))
		return NULL;
	void *object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
	struct gomp_library *library = object ? search(names, object) : NULL;

	if (object)
		dlclose(object);
	return library;
}

static const struct link_map *map_of(uint64_t address)
{
	struct link_map *map;
	Dl_info info;

	return dladdr1((const void *)address, &info, (void **)(void *)&map, RTLD_DL_LINKMAP) ? map
											     : NULL;
}

/* The list of the loader is in the order of loading. */
static bool was_loaded_before(const struct gomp_library *library, uint64_t caller)
{
	const struct link_map *map = map_of((uint64_t)library->base), *wanted = map_of(caller);

	while (map && map != wanted)
		map = map->l_next;
	return map != NULL;
}

static const struct gomp_library *search_for(enum gomp_names names, uint64_t caller)
{
	int saved = errno;

	lifecycle_start(); /* a library may use OpenMP before our constructor */
	struct gomp_library *library = search(names, RTLD_NEXT);
	/* every object is bound to what the whole process saw when it was loaded */
	if (library && code_map_is_permanent((uint64_t)library->base)) {
		__atomic_store_n(&gomp_of_all[names], library, __ATOMIC_RELEASE);
	} else if (!library || !was_loaded_before(library, caller)) {
		struct gomp_library *own = search_from(names, caller);
		library = own ? own : library;
	}
	dlerror(); /* names that it has not are no error of the program's */
	errno = saved;
	return library;
}

static bool is_of(const struct binding *binding, enum gomp_names names,
		  const struct code_object *object, uint64_t name)
{
	return binding->start == object->start && binding->end == object->end &&
	       binding->names == names && binding->name == name;
}

static const struct gomp_library *remember(enum gomp_names names, const struct code_object *object,
					   uint64_t name, const struct gomp_library *library)
{
	struct binding *binding = pages_new(sizeof *binding);

	if (!binding)
		return library;
	*binding = (struct binding){object->start, object->end, name, names, library};
	for (int i = 0; i < OBJECTS; i++) {
		const struct binding *none = NULL;
		if (__atomic_compare_exchange_n(&bindings[i], &none, binding, false,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return library;
	}
	pages_free(binding, sizeof *binding);
	return library;
}

const struct gomp_library *gomp_real_find(enum gomp_names names, uint64_t caller)
{
	struct code_object object;

	if (code_map_is_own(caller))
		return gomp_running;
	if (!code_map_find(caller, &object))
		return search_for(names, caller);
	uint64_t name = hash_of(object.name);
	for (int i = 0; i < OBJECTS; i++) {
		const struct binding *binding = __atomic_load_n(&bindings[i], __ATOMIC_ACQUIRE);
		if (!binding)
			break;
		if (is_of(binding, names, &object, name))
			return binding->library;
	}
	const struct gomp_library *library = search_for(names, caller);
	return library ? remember(names, &object, name, library) : NULL;
}
