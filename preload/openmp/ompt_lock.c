/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_lock.h"

#include "preload/base/direct.h"
#include "preload/openmp/omp_lock.h"
#include "preload/openmp/ompt_place.h"
#include "preload/waits/object_life.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

static const struct {
	uint8_t operation, construct;
} mutexes[OMPT_MUTEX_COUNT] = {
	[OMPT_MUTEX_LOCK] = {OP_OMP_SET_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_TEST_LOCK] = {OP_OMP_TEST_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_NEST_LOCK] = {OP_OMP_SET_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_TEST_NEST_LOCK] = {OP_OMP_TEST_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_CRITICAL] = {OP_CRITICAL, OMP_CONSTRUCT_CRITICAL},
	[OMPT_MUTEX_ATOMIC] = {OP_ATOMIC, OMP_CONSTRUCT_ATOMIC},
	[OMPT_MUTEX_ORDERED] = {OP_ORDERED, OMP_CONSTRUCT_ORDERED},
};

/* Runtimes of OpenMP 5.0 announce a call that only tries as one that takes the lock, and report
 * nothing more if it fails. It is recognized by the function that calls us: one of these. */
static const char *const trying_functions[] = {
	"__kmpc_test_lock", "__kmpc_test_nest_lock", "omp_test_lock",
	"omp_test_lock_",   "omp_test_nest_lock",    "omp_test_nest_lock_",
};

enum { TRYING_FUNCTIONS = sizeof trying_functions / sizeof *trying_functions };

static struct ompt_range trying[TRYING_FUNCTIONS];

void ompt_lock_start(uint64_t runtime)
{
	int saved = errno;
	Dl_info info;
	const ElfW(Sym) * symbol;
	void *handle = direct.dladdr((const void *)runtime, &info) && info.dli_fname
			       ? direct.dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
			       : NULL;

	for (int i = 0; handle && i < TRYING_FUNCTIONS; i++) {
		void *function = direct.dlsym(handle, trying_functions[i]);
		if (function &&
		    direct.dladdr1(function, &info, (void **)(void *)&symbol, RTLD_DL_SYMENT) &&
		    symbol)
			trying[i] = (struct ompt_range){(uint64_t)function, symbol->st_size};
	}
	if (handle)
		direct.dlclose(handle);
	direct.dlerror();
	errno = saved;
}

static bool is_try(int kind, uint64_t from)
{
	if (kind >= OMPT_MUTEX_CRITICAL)
		return false;
	if (kind == OMPT_MUTEX_TEST_LOCK || kind == OMPT_MUTEX_TEST_NEST_LOCK)
		return true;
	for (int i = 0; i < TRYING_FUNCTIONS; i++)
		if (from - trying[i].start < trying[i].bytes)
			return true;
	return false;
}

static bool is_known_mutex(int kind)
{
	return kind > 0 && kind < OMPT_MUTEX_COUNT && mutexes[kind].operation;
}

/* The quick half of each callback is for what happens a million times a second: no thread is in the
 * way, and the caller is the same function as last time, which does not only try. */
static inline bool is_usual(int kind, uint64_t from, const uint64_t *setter)
{
	return (unsigned)kind - OMPT_MUTEX_CRITICAL <= OMPT_MUTEX_ATOMIC - OMPT_MUTEX_CRITICAL ||
	       (kind == OMPT_MUTEX_LOCK && __atomic_load_n(setter, __ATOMIC_RELAXED) == from);
}

static uint64_t acquiring, acquired; /* atomic: the last caller that does not only try */

__attribute__((noinline)) static void wait_for(int kind, const void *lock, const void *code,
					       const struct site *site)
{
	struct omp_thread *omp = omp_here();

	if (!omp)
		return;
	struct site whole = *site;
	whole.inner = ompt_place(omp, code);
	omp->is_lock_waited = omp_lock_wait_begin((enum omp_construct)mutexes[kind].construct,
						  (enum operation)mutexes[kind].operation, lock,
						  false, &whole) != NULL;
}

__attribute__((noinline)) static void acquire_slow(int kind, const void *lock, const void *code,
						   const struct site *site)
{
	if (!is_known_mutex(kind))
		return;
	if (is_try(kind, site->caller)) {
		struct omp_thread *omp = omp_here();
		if (omp)
			activity_count(omp->thread, lock, OP_OMP_TEST_LOCK, ompt_place(omp, code));
		return;
	}
	if (kind == OMPT_MUTEX_LOCK)
		__atomic_store_n(&acquiring, site->caller, __ATOMIC_RELAXED);
	if (omp_lock_want(lock) || kind == OMPT_MUTEX_ORDERED)
		wait_for(kind, lock, code, site);
}

void ompt_mutex_acquire(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
			const void *code)
{
	const void *lock = (const void *)id;

	(void)hint;
	(void)implementation;
	if (unlikely(!is_usual(kind, CALLER_HERE, &acquiring)))
		acquire_slow(kind, lock, code, SITE_HERE);
	else if (unlikely(omp_lock_want(lock)))
		wait_for(kind, lock, code, SITE_HERE);
}

__attribute__((noinline)) static void acquired_slow(int kind, const void *lock, const void *code,
						    uint64_t from)
{
	struct omp_thread *omp = omp_here();

	if (!is_known_mutex(kind))
		return;
	bool tries = is_try(kind, from);
	if (tries)
		omp_lock_want(lock);
	else if (kind == OMPT_MUTEX_LOCK)
		__atomic_store_n(&acquired, from, __ATOMIC_RELAXED);
	if (!omp)
		return;
	uint64_t place = ompt_place(omp, code);
	if (omp->is_lock_waited) {
		omp->is_lock_waited = false;
		omp_lock_wait_end(omp, place);
	} else if (!tries) {
		activity_count(omp->thread, lock, (enum operation)mutexes[kind].operation, place);
	}
	omp_lock_taken(lock, place);
}

void ompt_mutex_acquired(int kind, ompt_wait_id_t id, const void *code)
{
	const void *lock = (const void *)id;
	struct thread *thread = thread_current();

	if (unlikely(!thread || !thread->omp || thread->omp->is_lock_waited ||
		     !ompt_is_in_program(code) || !is_usual(kind, CALLER_HERE, &acquired))) {
		acquired_slow(kind, lock, code, CALLER_HERE);
		return;
	}
	activity_count(thread, lock, (enum operation)mutexes[kind].operation, (uint64_t)code);
	omp_lock_taken(lock, (uint64_t)code);
}

void ompt_mutex_released(int kind, ompt_wait_id_t id, const void *code)
{
	(void)code;
	if (is_known_mutex(kind))
		omp_lock_left((const void *)id);
}

/* A nest lock is taken again by its owner, which was announced as if it might wait. */
void ompt_nest_lock(int endpoint, ompt_wait_id_t id, const void *code)
{
	const void *lock = (const void *)id;
	struct omp_thread *omp = omp_here();

	if (endpoint != OMPT_SCOPE_BEGIN || is_try(OMPT_MUTEX_NEST_LOCK, CALLER_HERE))
		return;
	omp_lock_left(lock);
	if (!omp)
		return;
	if (omp->is_lock_waited)
		omp_lock_wait_cancel(omp);
	omp->is_lock_waited = false;
	activity_count(omp->thread, lock, OP_OMP_SET_LOCK, ompt_place(omp, code));
}

void ompt_lock_init(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
		    const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)kind;
	(void)hint;
	(void)implementation;
	if (!omp)
		return;
	object_life_begin((const void *)id, OBJECT_OMP_LOCK, ompt_place(omp, code));
}

void ompt_lock_destroy(int kind, ompt_wait_id_t id, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)kind;
	(void)code;
	if (!omp)
		return;
	object_life_end((const void *)id, OBJECT_OMP_LOCK);
}
