/* SPDX-License-Identifier: MIT */
/* Four threads on read-write locks of each preference with all calls there are; an invariant is
 * kept and checked. */
#include "truth.h"

static pthread_rwlock_t locks[3];
static volatile long pair[3][2];
static volatile int broken;

static int take(pthread_rwlock_t *l, unsigned how, int *is_writer)
{
	struct timespec real = deadline(CLOCK_REALTIME, 0.0005),
			mono = deadline(CLOCK_MONOTONIC, 0.0005);
	*is_writer = how >= 5;
	switch (how) {
	case 0:
		return pthread_rwlock_rdlock(l);
	case 1:
		return pthread_rwlock_tryrdlock(l);
	case 2:
		return pthread_rwlock_timedrdlock(l, &real);
	case 3:
		return pthread_rwlock_clockrdlock(l, CLOCK_MONOTONIC, &mono);
	case 4:
		return pthread_rwlock_rdlock(l);
	case 5:
		return pthread_rwlock_wrlock(l);
	case 6:
		return pthread_rwlock_trywrlock(l);
	case 7:
		return pthread_rwlock_timedwrlock(l, &real);
	default:
		return pthread_rwlock_clockwrlock(l, CLOCK_MONOTONIC, &mono);
	}
}

static void *stress(void *seed)
{
	unsigned random = (unsigned)(long)seed;
	for (int i = 0; i < 20000; i++) {
		int is_writer, which = (int)(random >> 8) % 3;
		random = random * 1103515245u + 12345u;
		if (take(&locks[which], (random >> 16) % 9, &is_writer))
			continue;
		if (is_writer) {
			pair[which][0]++;
			for (volatile int j = 0; j < 100; j++)
				;
			pair[which][1]++;
		} else if (pair[which][0] != pair[which][1]) {
			broken = 1;
		}
		pthread_rwlock_unlock(&locks[which]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	pthread_rwlockattr_t a;
	pthread_rwlockattr_init(&a);
	for (int i = 0; i < 3; i++) {
		pthread_rwlockattr_setkind_np(
			&a, i); /* prefer readers, writers, writers without recursion */
		pthread_rwlock_init(&locks[i], &a);
	}
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, stress, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	puts(broken ? "broken" : "kept");
	return 0;
}
