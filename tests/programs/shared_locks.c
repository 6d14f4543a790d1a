/* SPDX-License-Identifier: MIT */
/* Parent and child share a mutex, a semaphore and a condition, which the parent has made before it
 * forks, and each has a mutex of its own that was made there as well.
 *
 * Truth: locks: of the shared mutex, by both. */
#include "truth.h"

#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { ROUNDS = 40, POSTS = 10 };

static struct shared {
	pthread_mutex_t lock, condition_lock;
	pthread_cond_t condition;
	sem_t posts;
	int is_awaited, is_signalled;
} * shared;
static pthread_mutex_t *own;

NOINLINE static void make_shared(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(mutex, &attributes);
	KEEP;
}

NOINLINE static void make_all(void)
{
	pthread_condattr_t attributes;

	make_shared(&shared->lock);
	make_shared(&shared->condition_lock);
	pthread_mutex_init(own, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->condition, &attributes);
	sem_init(&shared->posts, 1, 0);
	KEEP;
}

NOINLINE static void hold(double seconds)
{
	pthread_mutex_lock(&shared->lock);
	nap_raw(seconds);
	pthread_mutex_unlock(&shared->lock);
	KEEP;
}

static void lock_all(double seconds)
{
	for (int i = 0; i < ROUNDS; i++) {
		hold(seconds);
		pthread_mutex_lock(own);
		pthread_mutex_unlock(own);
		nap_raw(0.0002);
	}
}

static void wake_parent(void)
{
	await_raw(&shared->is_awaited, 1);
	pthread_mutex_lock(&shared->condition_lock);
	shared->is_signalled = 1;
	pthread_cond_signal(&shared->condition);
	pthread_mutex_unlock(&shared->condition_lock);
	for (int i = 0; i < POSTS; i++) {
		nap_raw(0.002);
		sem_post(&shared->posts);
	}
}

static void be_woken(void)
{
	pthread_mutex_lock(&shared->condition_lock);
	shared->is_awaited = 1;
	while (!shared->is_signalled)
		pthread_cond_wait(&shared->condition, &shared->condition_lock);
	pthread_mutex_unlock(&shared->condition_lock);
	for (int i = 0; i < POSTS; i++)
		sem_wait(&shared->posts);
}

int main(void)
{
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	own = malloc(sizeof *own);
	make_all();
	pid_t child = fork();
	lock_all(child ? 0.001 : 0.002);
	if (!child) {
		wake_parent();
		_exit(0);
	}
	be_woken();
	waitpid(child, NULL, 0);
	truth("locks", 2.0 * ROUNDS);
	truth_end();
	return 0;
}
