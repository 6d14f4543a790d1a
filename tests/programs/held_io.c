/* SPDX-License-Identifier: MIT */
/* One thread reads from a pipe that another one fills every so often; a third one wants the lock
 * meanwhile. MODE: held: it reads under the lock; outside: it reads before it takes the lock, and
 * works under it; behind: it works under the lock, and reads after it; twice: under the lock it
 * reads, and takes another lock; written, shared: as held, with a read-write lock that it takes to
 * write or to read. Prints, in nanoseconds: how long the third thread waited, and for
 * how much of that the reader was in read() with the lock held. */
#include "held.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 30, READ_US = 8000, WORK_US = 3000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static const char *mode = "held";
static atomic_bool is_over;
static int ends[2];

static void *fill(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		usleep(READ_US);
		if (write(ends[1], "", 1) != 1)
			abort();
	}
	return NULL;
}

static void take_one(int is_held)
{
	uint64_t begin_ns = now_ns();
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		abort();
	if (is_held)
		add_held(begin_ns);
}

static int is_mode(const char *name)
{
	return !strcmp(mode, name);
}

static void enter(int is_reader)
{
	if (is_mode("shared") && is_reader)
		pthread_rwlock_rdlock(&table);
	else if (is_mode("shared") || is_mode("written"))
		pthread_rwlock_wrlock(&table);
	else
		pthread_mutex_lock(&lock);
}

static void leave(void)
{
	if (is_mode("shared") || is_mode("written"))
		pthread_rwlock_unlock(&table);
	else
		pthread_mutex_unlock(&lock);
}

static void round_of(void)
{
	if (is_mode("outside"))
		take_one(0);
	enter(1);
	if (is_mode("outside") || is_mode("behind"))
		work(WORK_US);
	else
		take_one(1);
	if (is_mode("twice")) {
		pthread_mutex_lock(&other);
		pthread_mutex_unlock(&other);
	}
	leave();
	if (is_mode("behind"))
		take_one(0);
	work(WORK_US / 4);
}

static void *want(void *unused)
{
	(void)unused;
	while (!is_over) {
		wait_since_ns = now_ns();
		enter(0);
		waited_ns += now_ns() - wait_since_ns;
		wait_since_ns = 0;
		work(WORK_US / 10);
		leave();
		work(WORK_US / 2);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t filler, wanter;

	if (argc > 1)
		mode = argv[1];
	if (pipe(ends))
		return 1;
	pthread_create(&filler, NULL, fill, NULL);
	pthread_create(&wanter, NULL, want, NULL);
	for (int i = 0; i < ROUNDS; i++)
		round_of();
	is_over = 1;
	pthread_join(filler, NULL);
	pthread_join(wanter, NULL);
	printf("%llu %llu\n", (unsigned long long)waited_ns, (unsigned long long)held_ns);
	return 0;
}
