/* SPDX-License-Identifier: MIT */
/* An allocator with a pthread mutex of its own, to be preloaded: whoever allocates inside a lock
 * call hangs. */
#include "truth.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
	__libc_free(void *);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *malloc(size_t size)
{
	pthread_mutex_lock(&lock);
	void *p = __libc_malloc(size);
	pthread_mutex_unlock(&lock);
	return p;
}

void *calloc(size_t count, size_t size)
{
	pthread_mutex_lock(&lock);
	void *p = __libc_calloc(count, size);
	pthread_mutex_unlock(&lock);
	return p;
}

void *realloc(void *old, size_t size)
{
	pthread_mutex_lock(&lock);
	void *p = __libc_realloc(old, size);
	pthread_mutex_unlock(&lock);
	return p;
}

void free(void *p)
{
	pthread_mutex_lock(&lock);
	__libc_free(p);
	pthread_mutex_unlock(&lock);
}
