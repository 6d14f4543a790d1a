/* SPDX-License-Identifier: MIT */
#include "preload/process/real.h"

#include "arch.h"
#include "preload/base/direct.h"
#include "preload/process/entry.h"

#include <dlfcn.h>
#include <errno.h>

struct real real;
real_find_object_function *real_find_object;

/* Stands in for a symbol that this libc does not have. */
static long missing(void)
{
	return ENOSYS;
}

static void *next(const char *symbol)
{
	void *found = entry_behind(symbol, NULL);

	return found ? found : (void *)missing;
}

/* Some calls are several (conditions with different data, spawn): before glibc 2.36 a plain dlsym
 * finds the oldest. */
static void *next_version(const char *symbol, const char *version)
{
	void *found = entry_behind(symbol, version);

	return found ? found : next(symbol);
}

uint64_t real_stack_end(void)
{
	void **end = direct.dlsym(RTLD_DEFAULT, "__libc_stack_end");

	return end ? (uint64_t)*end : 0;
}

bool real_has_libcs_mutexes;
bool real_has_hooks;
const void *real_file_jumps;
int (*real_mutex_try)(pthread_mutex_t *mutex);

static void nowhere(void)
{
}

void (*real_next_mcount)(void) = nowhere;
void (*real_next__mcount)(void) = nowhere;
void (*real_next___fentry__)(void) = nowhere;

static void resolve_begin(void (**next)(void), const char *symbol)
{
	void *found = entry_behind(symbol, NULL);

	if (found)
		*next = (void (*)(void))found;
}

static int try_by_lock(pthread_mutex_t *mutex)
{
	return mutex->__data.__lock ? EBUSY : real.pthread_mutex_lock(mutex);
}

/* Calls that this libc does not have do not count. */
static bool are_mutexes_libcs(void)
{
	const void *const calls[] = {
		real.pthread_mutex_lock,
		real.pthread_mutex_trylock,
		real.pthread_mutex_timedlock,
		real.pthread_mutex_clocklock,
		real.pthread_mutex_unlock,
		real.mtx_lock,
		real.mtx_trylock,
		real.mtx_timedlock,
		real.mtx_unlock,
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i] != (void *)missing && !direct_is_libcs(calls[i]))
			return false;
	return true;
}

void real_resolve(void)
{
	direct_need();
#define REAL(symbol) real.symbol = (__typeof__(real.symbol))next(#symbol);
#define REAL_VERSION(member, symbol, version)                                                      \
	real.member = (__typeof__(real.member))next_version(#symbol, version);
#define REAL_OLD(member, symbol)                                                                   \
	real.member = (__typeof__(real.member))next_version(#symbol, ARCH_OLDEST_VERSION);
#define REAL_AS      REAL_VERSION
#define COND_VERSION ARCH_COND_VERSION
#include "preload/process/real.def"
	real_find_object =
		(real_find_object_function *)direct.dlsym(RTLD_DEFAULT, "_dl_find_object");
	real_file_jumps = direct.dlsym(RTLD_DEFAULT, "_IO_file_jumps");
	real_has_libcs_mutexes = are_mutexes_libcs();
	real_has_hooks = !direct_is_libcs(real.__cyg_profile_func_enter) ||
			 !direct_is_libcs(real.__cyg_profile_func_exit);
	resolve_begin(&real_next_mcount, "mcount");
	resolve_begin(&real_next__mcount, "_mcount");
	resolve_begin(&real_next___fentry__, "__fentry__");
	real_mutex_try = real_has_libcs_mutexes ? real.pthread_mutex_trylock : try_by_lock;
	__atomic_store_n(&real.is_ready, true, __ATOMIC_RELEASE);
}
