/* SPDX-License-Identifier: MIT */
#include "gomp_real.h"

#include "code_map.h"
#include "lifecycle.h"
#include "omp_process.h"
#include "pages.h"
#include "settings.h"

#include <dlfcn.h>
#include <errno.h>

enum {
	PLACES = 256,    /* that are remembered, with the library that serves them; a power of 2 */
	NUMBER_BITS = 8, /* libraries with larger numbers are searched each time */
};

struct gomp_library *gomp_of_all;
__thread uint64_t gomp_passed_on_from;
__thread const struct gomp_library *gomp_running;

#define NUMBER_MASK ((1u << NUMBER_BITS) - 1)

static unsigned count;                 /* atomic: of libraries */
static struct gomp_library *libraries; /* atomic: all that were met, the latest first */
static uint64_t places[PLACES];        /* atomic: caller << NUMBER_BITS | number of its library */

static int one(void)
{
	return 1;
}

static int zero(void)
{
	return 0;
}

static const char *const names[GOMP_NUMBER_COUNT] = {
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
	KMPC_CALLS(KMPC_CALL) KMPC_CALL(__kmpc_doacross_wait)
#undef KMPC_CALL
};

#define PROBE "GOMP_parallel"

/* The object of an address, as something that dlsym searches; NULL: not found. */
static void *object_of(const void *address)
{
	Dl_info info;

	if (!dladdr(address, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
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

/* LLVM's runtime has an entry point that libgomp has not. */
static bool has_tools_interface(void *searched, const void *base)
{
	const char *file;

	return base == base_of(dlsym(searched, "__kmpc_fork_call"), &file);
}

static struct gomp_library *known(const void *base)
{
	struct gomp_library *library = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);

	while (library && library->base != base)
		library = library->following;
	return library;
}

static struct gomp_library *numbered(unsigned number)
{
	struct gomp_library *library = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);

	while (library && library->number != number)
		library = library->following;
	return library;
}

static void *find_or(void *searched, const char *name, int (*otherwise)(void))
{
	void *function = dlsym(searched, name);

	return function ? function : (void *)otherwise;
}

/* Two threads may do this at once, and then there are two alike. */
static struct gomp_library *make(void *searched, const void *base, const char *file)
{
	struct gomp_library *library = pages_new(sizeof *library);

	if (!library)
		return NULL;
	for (int i = 0; i < GOMP_NUMBER_COUNT; i++)
		library->next[i] = dlsym(searched, names[i]);
	library->get_num_threads = (int (*)(void))find_or(searched, "omp_get_num_threads", one);
	library->get_thread_num = (int (*)(void))find_or(searched, "omp_get_thread_num", zero);
	library->get_max_threads = (int (*)(void))find_or(searched, "omp_get_max_threads", one);
	library->base = base;
	library->is_measured = settings.openmp && !has_tools_interface(searched, base);
	if (library->is_measured)
		omp_process_found(OMP_LIBGOMP, file);
	library->number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	library->following = __atomic_load_n(&libraries, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&libraries, &library->following, library, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return library;
}

static struct gomp_library *search(void *searched)
{
	const char *file;
	void *found = dlsym(searched, PROBE);
	const void *base = code_map_is_own((uint64_t)found) ? NULL : base_of(found, &file);
	struct gomp_library *library = base ? known(base) : NULL;

	return library || !base ? library : make(searched, base, file);
}

/* What the caller's own object sees. It is not kept from being unloaded for that; the runtime is,
 * whose threads live on. */
static struct gomp_library *search_from(const void *caller)
{
	void *object = object_of(caller);
	struct gomp_library *library = object ? search(object) : NULL;

	if (library && !library->is_kept) {
		const char *file;
		base_of(library->next[GOMP_NUMBER_GOMP_parallel], &file);
		library->is_kept = dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
	}
	if (object)
		dlclose(object);
	return library;
}

static struct gomp_library *search_for(const void *caller)
{
	int saved = errno;

	lifecycle_start(); /* a library may use OpenMP before our constructor */
	struct gomp_library *library = search(RTLD_NEXT);

	if (library)
		__atomic_store_n(&gomp_of_all, library, __ATOMIC_RELEASE);
	else
		library = search_from(caller);
	errno = saved;
	return library;
}

const struct gomp_library *gomp_real_find(const void *caller)
{
	if (code_map_is_own((uint64_t)caller))
		return gomp_running;
	uint64_t place = (uint64_t)caller << NUMBER_BITS;
	uint64_t *slot = &places[(unsigned)(place * 0x9e3779b97f4a7c15u >> 56) % PLACES];
	uint64_t kept = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

	if (likely(kept - place - 1 < NUMBER_MASK))
		return numbered((unsigned)(kept - place));
	struct gomp_library *library = search_for(caller);
	if (library && library->number <= NUMBER_MASK)
		__atomic_store_n(slot, place | library->number, __ATOMIC_RELEASE);
	return library;
}
