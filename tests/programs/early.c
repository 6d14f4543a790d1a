/* SPDX-License-Identifier: MIT */
/* A library whose constructor and destructor call what is wrapped, before and after everything
 * else. */
#include "truth.h"
#include <semaphore.h>

int early_count(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int count;

static void once(void)
{
	count++;
}

static void *locked(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void use_everything(void)
{
	pthread_t t;
	sem_t s;
	locked(NULL);
	pthread_once(&control, once);
	sem_init(&s, 0, 1);
	sem_wait(&s);
	pthread_create(&t, NULL, locked, NULL);
	pthread_join(t, NULL);
}

__attribute__((constructor(101))) static void start(void)
{
	use_everything();
}

__attribute__((destructor(101))) static void end(void)
{
	use_everything();
	if (write(1, count == 5 ? "end\n" : "???\n", 4) < 0)
		_exit(9);
}

int early_count(void)
{
	return count;
}
