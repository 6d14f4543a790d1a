/* SPDX-License-Identifier: MIT */
/* A daemon: three workers give up root's rights first, and lock then; so does the first process in
 * the end. Each uses enough locks at enough places that a profile has to grow. */
#include "truth.h"

#include <sys/wait.h>

enum { WORKERS = 3, MUTEXES = 400, ROUNDS = 5 };

static pthread_mutex_t mutexes[MUTEXES];

static void become_nobody(void)
{
	if (setgid(65534) || setuid(65534))
		_exit(77);
}

static void take_locks(void)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < MUTEXES; i++) {
			pthread_mutex_lock(&mutexes[i]);
			pthread_mutex_unlock(&mutexes[i]);
		}
}

int main(void)
{
	for (int i = 0; i < MUTEXES; i++)
		pthread_mutex_init(&mutexes[i], NULL);
	for (int i = 0; i < WORKERS; i++)
		if (!fork()) {
			become_nobody();
			take_locks();
			_exit(0);
		}
	for (int i = 0; i < WORKERS; i++)
		wait(NULL);
	truth("locks", (WORKERS + 1) * MUTEXES * ROUNDS);
	truth_end(); /* nobody may not */
	become_nobody();
	take_locks();
	return 0;
}
