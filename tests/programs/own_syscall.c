/* SPDX-License-Identifier: MIT */
/* A program with a syscall() of its own, which records each call under a lock: whoever else calls
 * it disturbs the program. Prints how many such calls there were: none. */
#include "truth.h"

#include <sys/syscall.h>

enum { THREADS = 2, ROUNDS = 2000, WITHIN = 100 };

static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER, shared = PTHREAD_MUTEX_INITIALIZER;
static int noted, is_done;

long syscall(long number, ...)
{
	(void)number;
	pthread_mutex_lock(&noting);
	noted++;
	pthread_mutex_unlock(&noting);
	errno = ENOSYS;
	return -1;
}

static void *contend(void *unused)
{
	while (!__atomic_load_n(&is_done, __ATOMIC_RELAXED)) {
		pthread_mutex_lock(&shared);
		pthread_mutex_unlock(&shared);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, contend, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&noting);
		for (int j = 0; j < WITHIN; j++) {
			pthread_mutex_lock(&shared);
			pthread_mutex_unlock(&shared);
		}
		pthread_mutex_unlock(&noting);
	}
	__atomic_store_n(&is_done, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d calls of syscall\n", noted);
	return 0;
}
