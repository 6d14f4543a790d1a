/* SPDX-License-Identifier: MIT */
/* Signal handlers that call in the middle of whatever their thread does. Fresh threads lock mutexes
 * that they have not met; a timer of each sends it a signal every 20 us, whose handler posts
 * semaphores (which is allowed in handlers). Prints how many calls there were; TRUTH of the case.
 *
 *   handler_counts return      handlers return
 *   handler_counts jump        most of them leave by siglongjmp */
#include "truth.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>


enum { OBJECTS = 700, ROUNDS = 40, THREADS = 2, PASSES = 4, POSTS = 8 };

static pthread_mutex_t mutexes[OBJECTS];
static sem_t semaphores[OBJECTS];
static unsigned long posts; /* atomic */
static int jumps;
static __thread sigjmp_buf outside;
static __thread volatile sig_atomic_t may_jump;
static __thread unsigned next_semaphore;

static void on_signal(int number)
{
	int saved = errno;

	(void)number;
	for (int i = 0; i < POSTS; i++) {
		sem_post(&semaphores[next_semaphore++ % OBJECTS]);
		__atomic_fetch_add(&posts, 1, __ATOMIC_RELAXED);
	}
	errno = saved;
	if (jumps && may_jump && next_semaphore % 3) {
		may_jump = 0;
		siglongjmp(outside, 1);
	}
}

static timer_t start_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec often = {{0, 20000}, {0, 20000}};
	timer_t timer;

	event._sigev_un._tid = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL))
		abort();
	return timer;
}

/* Only where the thread locks nothing it may jump. */
static void post_own(void)
{
	for (volatile int i = 0; i < OBJECTS; i++) {
		sigsetjmp(outside, 1);
		may_jump = 1;
		sem_post(&semaphores[(i * 7 + 3) % OBJECTS]);
		may_jump = 0;
	}
}

static void *routine(void *unused)
{
	sigset_t set;
	timer_t timer = start_timer();

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < OBJECTS; i++) {
			pthread_mutex_lock(&mutexes[i]);
			pthread_mutex_unlock(&mutexes[i]);
		}
	if (jumps)
		post_own();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	timer_delete(timer);
	return unused;
}

int main(int count, char **arguments)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	pthread_t threads[THREADS];
	sigset_t set;

	jumps = count > 1 && !strcmp(arguments[1], "jump");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutex_init(&mutexes[i], NULL);
		sem_init(&semaphores[i], 0, 0);
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, routine, NULL);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	puts("done");
	truth("LOCKS", (double)ROUNDS * THREADS * PASSES * OBJECTS);
	truth("POSTS", (double)posts);
	truth_end();
	return 0;
}
