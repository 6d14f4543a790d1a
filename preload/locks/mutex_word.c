/* SPDX-License-Identifier: MIT */
#include "preload/locks/mutex_word.h"

#include "preload/base/replaces.h"
#include "preload/process/real.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>

enum { NO_KIND = -1 };

int mutex_word_kind = NO_KIND;
bool mutex_word_may_fetch;

/* By an instruction of its own: libc would make this call as well, so the time in the kernel is
 * not the profiler's. errno stays as it is, as with libc. */
STANDS_FOR(pthread_mutex_unlock) void mutex_word_wake(int *lock)
{
	const long words[6] = {(long)lock, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1};

	arch_kernel_call(SYS_futex, words);
}

static bool is_in(const pthread_mutex_t *mutex, int lock, int32_t owner)
{
	return mutex->__data.__lock == lock && mutex->__data.__owner == owner &&
	       mutex->__data.__nusers == (lock != MUTEX_FREE);
}

/* Whether libc's calls write what ours would, and accept what ours wrote. */
static bool is_as_libc(int32_t tid)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	mutex_word_kind = mutex.__data.__kind;
	return !real.pthread_mutex_lock(&mutex) && is_in(&mutex, MUTEX_TAKEN, tid) &&
	       mutex_word_release(&mutex) && is_in(&mutex, MUTEX_FREE, 0) &&
	       mutex_word_take(&mutex, tid) && real.pthread_mutex_trylock(&mutex) == EBUSY &&
	       !real.pthread_mutex_unlock(&mutex) && is_in(&mutex, MUTEX_FREE, 0);
}

void mutex_word_learn(int32_t tid)
{
	if (!real_has_libcs_mutexes || !is_as_libc(tid))
		mutex_word_kind = NO_KIND;
	mutex_word_may_fetch = mutex_word_kind != NO_KIND && arch_may_fetch_to_write();
}
