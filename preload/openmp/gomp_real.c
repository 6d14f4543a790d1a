/* SPDX-License-Identifier: MIT */
#include "gomp_real.h"

#include "omp_process.h"
#include "settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

void *gomp_next[GOMP_NUMBER_COUNT];
int gomp_state;

static int one(void)
{
	return 1;
}

static int zero(void)
{
	return 0;
}

int (*gomp_get_num_threads)(void) = one;
int (*gomp_get_thread_num)(void) = zero;
int (*gomp_get_max_threads)(void) = one;

static void *searched = RTLD_NEXT;

static const char *const names[GOMP_NUMBER_COUNT] = {
#define GOMP_CALL(name, ...) [GOMP_NUMBER_##name] = #name,
#define GOMP_LOCK(name, ...) [GOMP_NUMBER_##name] = #name,
#define GOMP_TEAM(name, ...) [GOMP_NUMBER_##name] = #name,
#define GOMP_TASKS(name, ...) [GOMP_NUMBER_##name] = #name,
#define GOMP_LEFT(name, why)
#include "gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_LOCK
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LEFT
};

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

	if (!address || !dladdr(address, &info))
		return NULL;
	*file = info.dli_fname ? info.dli_fname : "";
	return info.dli_fbase;
}

/* LLVM's runtime has an entry point that libgomp has not. */
static bool has_tools_interface(const void *base)
{
	const char *file;

	return base && base == base_of(dlsym(searched, "__kmpc_fork_call"), &file);
}

/* Two threads may do this at once: they write the same. */
enum gomp_state gomp_real_resolve(const void *caller)
{
	int saved = errno;
	const char *file = "";
	const char *probe = names[GOMP_NUMBER_omp_set_lock];

	if (!dlsym(RTLD_NEXT, probe)) {
		searched = object_of(caller);
		if (!searched || !dlsym(searched, probe)) {
			searched = RTLD_NEXT;
			errno = saved;
			return GOMP_UNKNOWN;
		}
	}
	for (int i = 0; i < GOMP_NUMBER_COUNT; i++)
		gomp_next[i] = dlsym(searched, names[i]);
	void *count = dlsym(searched, "omp_get_num_threads");
	void *number = dlsym(searched, "omp_get_thread_num");
	void *most = dlsym(searched, "omp_get_max_threads");
	gomp_get_num_threads = count ? (int (*)(void))count : one;
	gomp_get_thread_num = number ? (int (*)(void))number : zero;
	gomp_get_max_threads = most ? (int (*)(void))most : one;
	const void *base = base_of(gomp_next[GOMP_NUMBER_omp_set_lock], &file);
	bool is_passed_on = !settings.openmp || has_tools_interface(base);
	if (!is_passed_on)
		omp_process_found(OMP_LIBGOMP, file);
	enum gomp_state state = is_passed_on ? GOMP_PASSED_ON : GOMP_MEASURED;
	__atomic_store_n(&gomp_state, (int)state, __ATOMIC_RELEASE);
	errno = saved;
	return state;
}

void *gomp_real_old(const char *name, const char *version)
{
	int saved = errno;
	void *function = dlvsym(searched, name, version);

	errno = saved;
	return function;
}
