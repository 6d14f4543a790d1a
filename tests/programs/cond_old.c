/* SPDX-License-Identifier: MIT */
/* Condition variables by their symbols of 1999 (GLIBC_2.2.5) and of today in one program: each
 * symbol works on its own kind. */
#include "truth.h"

#define OLD(name, arguments)                                                                       \
	int old_##name arguments;                                                                  \
	__asm__(".symver old_" #name ", pthread_cond_" #name "@GLIBC_2.2.5")
OLD(init, (pthread_cond_t *, const pthread_condattr_t *));
OLD(wait, (pthread_cond_t *, pthread_mutex_t *));
OLD(timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *));
OLD(signal, (pthread_cond_t *));
OLD(broadcast, (pthread_cond_t *));
OLD(destroy, (pthread_cond_t *));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	pthread_cond_t old;
	char red_zone[64];
} guarded;
static pthread_cond_t new = PTHREAD_COND_INITIALIZER;
static int turn, waits, timed, signals, broadcasts;

static void *player(void *number)
{
	int me = (int)(long)number;
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		while (turn != me) {
			waits++;
			if (i % 2)
				pthread_cond_wait(&new, &lock);
			else
				old_wait(&guarded.old, &lock);
		}
		turn = !me;
		signals++;
		broadcasts++;
		pthread_cond_signal(&new);
		old_broadcast(&guarded.old);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	memset(guarded.red_zone, 0x5a, sizeof guarded.red_zone);
	old_init(&guarded.old, NULL);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, player, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 5; i++, timed++) {
		struct timespec soon = deadline(CLOCK_REALTIME, 0.002);
		if (old_timedwait(&guarded.old, &lock, &soon) != ETIMEDOUT)
			puts("no time-out");
	}
	pthread_mutex_unlock(&lock);
	old_signal(&guarded.old);
	signals++;
	old_destroy(&guarded.old);
	for (unsigned i = 0; i < sizeof guarded.red_zone; i++)
		if (guarded.red_zone[i] != 0x5a)
			puts("memory behind the condition was written");
	puts("done");
	fflush(stdout);
	truth("COND_WAIT", waits);
	truth("COND_TIMEDWAIT", timed);
	truth("COND_SIGNAL", signals);
	truth("COND_BROADCAST", broadcasts);
	truth_end();
	return 0;
}
