/* SPDX-License-Identifier: MIT */
#include "preload/openmp/gomp_real.h"

#include "arch.h"
#include "preload/base/direct.h"
#include "preload/base/hash.h"
#include "preload/base/pages.h"
#include "preload/life/lifecycle.h"
#include "preload/openmp/omp_process.h"
#include "preload/process/module_map.h"
#include "preload/process/entry.h"
#include "preload/process/linkage.h"
#include "preload/process/settings.h"

#include <dlfcn.h>
#include <errno.h>

enum { OBJECTS = 64 }; /* objects that are remembered; others are searched each time */

/* An object with callers, and the library that they reach. Another object may be loaded at its
 * address when it is unloaded: the name tells. Written once, then published; never changed. */
struct binding {
	uint64_t start, end, name;
	enum gomp_names names;
	const struct gomp_library *library;
};

struct gomp_library *gomp_of_all[GOMP_NAMES_COUNT];
__thread uint64_t gomp_passed_on_from;
__thread const struct gomp_library *gomp_running;

static struct gomp_library *libraries;          /* atomic: all that were found */
static const struct binding *bindings[OBJECTS]; /* atomic */

static struct gomp_hidden_lock no_lock = {.kind = WORD_IS_OTHER};

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
#include "preload/openmp/gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LOCK
#undef GOMP_LEFT
#define KMPC_CALL(name) [GOMP_NUMBER_##name] = #name,
	KMPC_CALLS(KMPC_CALL)
#undef KMPC_CALL
};

/* A library that defines this has the names. */
static const char *const probes[GOMP_NAMES_COUNT] = {
	[GOMP_NAMES] = "GOMP_parallel",
	[KMPC_NAMES] = "__kmpc_fork_call",
};

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0;

	while (*text)
		hash = hash_product(hash ^ (uint8_t)*text++);
	return hash;
}

/* ---- a library */

static void *find_or(void *searched, const char *name, int (*otherwise)(void))
{
	void *function = direct.dlsym(searched, name);

	return function ? function : (void *)otherwise;
}

static struct gomp_library *known(enum gomp_names names, const void *base)
{
	struct gomp_library *library = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);

	while (library && (library->base != base || library->names != names))
		library = library->following;
	return library;
}

/* If two threads do this at once, there are two equal ones. */
static struct gomp_library *publish(struct gomp_library *library)
{
	library->following = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&libraries, &library->following, library, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return library;
}

/* The word that the two functions of a section take and release: what they are is known, so their
 * instructions tell. NULL: they are others. Those of another object may be a tool's, which does
 * more than to take a lock. */
static uint32_t *lock_word(const struct gomp_library *library, const void *begin, const void *end)
{
	struct code_object object;
	const char *unused;

	if (!begin || !end || !module_map_find((uint64_t)begin, &object) ||
	    linkage_base(begin, &unused) != library->base ||
	    linkage_base(end, &unused) != library->base ||
	    (uint64_t)begin + ARCH_LOCK_CODE > object.end ||
	    (uint64_t)end + ARCH_LOCK_CODE > object.end)
		return NULL;
	uint64_t word = arch_lock_taken(begin);
	bool is_lock = word == arch_lock_released(end) && word % sizeof(uint32_t) == 0 &&
		       word >= object.start && word < object.end;
	return is_lock ? (uint32_t *)word : NULL;
}

static struct gomp_hidden_lock *find_lock(const struct gomp_library *library,
					  enum gomp_number begin, enum gomp_number end)
{
	uint32_t *word = lock_word(library, library->next[begin], library->next[end]);
	struct gomp_hidden_lock *lock = word ? pages_new(sizeof *lock) : NULL;

	if (!lock)
		return &no_lock;
	lock->word = word;
	return lock;
}

/* The library stays loaded from now on, because its threads live on, and what was found is
 * remembered. */
static struct gomp_library *make(enum gomp_names names, void *searched, const void *base,
				 const char *file)
{
	struct gomp_library *library = pages_new(sizeof *library);
	const char *unused;

	if (!library)
		return NULL;
	for (int i = 0; i < GOMP_NUMBER_COUNT; i++)
		library->next[i] = direct.dlsym(searched, call_names[i]);
	library->get_num_threads = (int (*)(void))find_or(searched, "omp_get_num_threads", one);
	library->get_thread_num = (int (*)(void))find_or(searched, "omp_get_thread_num", zero);
	library->get_max_threads = (int (*)(void))find_or(searched, "omp_get_max_threads", one);
	library->base = base;
	library->names = names;
	/* LLVM's runtime has an entry point that libgomp does not have */
	library->is_measured =
		names == GOMP_NAMES && settings.openmp &&
		base != linkage_base(direct.dlsym(searched, probes[KMPC_NAMES]), &unused);
	linkage_keep(base);
	library->critical =
		find_lock(library, GOMP_NUMBER_GOMP_critical_start, GOMP_NUMBER_GOMP_critical_end);
	library->atomic =
		find_lock(library, GOMP_NUMBER_GOMP_atomic_start, GOMP_NUMBER_GOMP_atomic_end);
	if (library->is_measured)
		omp_process_found(OMP_LIBGOMP, file);
	return publish(library);
}

/* What calls from there would reach in the object at `base`, which defines only some of the
 * names. */
static struct gomp_library *make_stand_in(enum gomp_names names, const void *base, uint64_t caller)
{
	struct gomp_library *library = pages_new(sizeof *library);
	const char *unused;

	if (!library)
		return NULL;
	for (int i = 0; i < GOMP_NUMBER_COUNT; i++) {
		void *function = linkage_find(call_names[i], caller);
		if (linkage_base(function, &unused) == base)
			library->next[i] = function;
	}
	library->get_num_threads = library->get_max_threads = one;
	library->get_thread_num = zero;
	library->critical = library->atomic = &no_lock;
	library->base = base;
	library->names = names;
	linkage_keep(base);
	return publish(library);
}

static struct gomp_library *search(enum gomp_names names, void *searched)
{
	const char *file;
	void *found = direct.dlsym(searched, probes[names]);
	const void *base = module_map_is_own((uint64_t)found) ? NULL : linkage_base(found, &file);
	struct gomp_library *library = base ? known(names, base) : NULL;

	return library || !base ? library : make(names, searched, base, file);
}

/* ---- who calls */

/* Searches what the caller's own object was linked with. */
static struct gomp_library *search_from(enum gomp_names names, uint64_t caller)
{
	void *object = linkage_open(caller);
	struct gomp_library *library = object ? search(names, object) : NULL;

	linkage_close(object);
	return library;
}

/* From now on all callers reach this library, if it has the call; else it is searched by name. */
static void serve_all(enum gomp_names names, struct gomp_library *library)
{
	struct gomp_library *none = NULL;

	__atomic_compare_exchange_n(&gomp_of_all[names], &none, library, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

static struct gomp_library *search_whole(enum gomp_names names, uint64_t caller)
{
	struct gomp_library *library = search(names, entry_scope());

	/* every object is bound to what was visible to the whole process when it was loaded */
	if (library && module_map_is_permanent((uint64_t)library->base)) {
		serve_all(names, library);
		return library;
	}
	if (library && linkage_was_there(library->base, caller))
		return library;
	struct gomp_library *own = search_from(names, caller);
	return own ? own : library;
}

/* By the name of the call. */
static struct gomp_library *search_stand_in(enum gomp_names names, enum gomp_number number,
					    uint64_t caller)
{
	const char *unused;
	void *function = linkage_find(call_names[number], caller);
	const void *base = linkage_base(function, &unused);

	if (!base)
		return NULL;
	struct gomp_library *library = known(names, base);
	if (!library || !library->next[number])
		library = make_stand_in(names, base, caller);
	if (!library || !library->next[number])
		return NULL;
	if (module_map_is_permanent((uint64_t)base) &&
	    linkage_behind(call_names[number]) == function)
		serve_all(names, library);
	return library;
}

static const struct gomp_library *search_for(enum gomp_names names, enum gomp_number number,
					     uint64_t caller)
{
	int saved = errno;

	lifecycle_start(); /* a library may use OpenMP before our constructor runs */
	struct gomp_library *library = search_whole(names, caller);
	if (!library || !library->next[number])
		library = search_stand_in(names, number, caller);
	direct.dlerror(); /* a name that was not found is no error of the program */
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

const struct gomp_library *gomp_real_find(enum gomp_names names, enum gomp_number number,
					  uint64_t caller)
{
	struct code_object object;

	if (module_map_is_own(caller))
		return gomp_running && gomp_running->next[number] ? gomp_running : NULL;
	if (!module_map_find(caller, &object))
		return search_for(names, number, caller);
	uint64_t name = hash_of(object.name);
	for (int i = 0; i < OBJECTS; i++) {
		const struct binding *binding = __atomic_load_n(&bindings[i], __ATOMIC_ACQUIRE);
		if (!binding)
			break;
		if (is_of(binding, names, &object, name) && binding->library->next[number])
			return binding->library;
	}
	const struct gomp_library *library = search_for(names, number, caller);
	return library ? remember(names, &object, name, library) : NULL;
}
