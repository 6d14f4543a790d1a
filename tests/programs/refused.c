/* SPDX-License-Identifier: MIT */
/* Locks that their own thread asks for again: some report a deadlock at once, some are taken once
 * more; nothing waits. Truth: how often each call was made. */
#include "truth.h"
#include <errno.h>

enum { TIMES = 50 };
static pthread_mutex_t checking, robust, inheriting;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void make(pthread_mutex_t *mutex, int type, int robustness, int protocol)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setrobust(&attributes, robustness);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutex_init(mutex, &attributes);
}

static void expect(int result, int wanted)
{
	if (result != wanted)
		_exit(3);
}

static void lock_again(pthread_mutex_t *mutex, int wanted)
{
	expect(pthread_mutex_lock(mutex), 0);
	for (int i = 0; i < TIMES; i++)
		expect(pthread_mutex_lock(mutex), wanted);
	for (int i = 0; !wanted && i < TIMES; i++)
		expect(pthread_mutex_unlock(mutex), 0);
	expect(pthread_mutex_unlock(mutex), 0);
}

static void *idle(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;

	make(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
	make(&robust, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
	make(&inheriting, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT);
	pthread_create(&thread, NULL, idle, NULL);
	pthread_join(thread, NULL);
	lock_again(&checking, EDEADLK);
	lock_again(&robust, 0);
	lock_again(&inheriting, EDEADLK);
	expect(pthread_rwlock_wrlock(&rwlock), 0);
	for (int i = 0; i < TIMES; i++) {
		expect(pthread_rwlock_wrlock(&rwlock), EDEADLK);
		expect(pthread_rwlock_rdlock(&rwlock), EDEADLK);
	}
	expect(pthread_rwlock_unlock(&rwlock), 0);
	truth("again", TIMES);
	truth_end();
	return 0;
}
