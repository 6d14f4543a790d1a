/* SPDX-License-Identifier: MIT */
/* harm_calls KIND: what glibc looks at before a wait begins. bad (clocks and times on objects that
 * are free), cancel (waits that need not wait are cancellation points all the same), errno (calls
 * that succeed, or say their error in the result, leave errno alone). */
#include "truth.h"
#include <semaphore.h>
#include <threads.h>

#define SAY(call)                                                                                  \
	do {                                                                                       \
		errno = 77;                                                                        \
		int result_ = (call);                                                              \
		printf("%s = %d, errno %d\n", #call, result_, errno);                              \
	} while (0)

static struct timespec late, wild = {0, 2000000000}, below = {0, -1}, past = {-1, 0};
enum { NO_CLOCK = 12345 };

static void *end(void *argument)
{
	return argument;
}

static pthread_t ended(void)
{
	pthread_t t;
	pthread_create(&t, NULL, end, NULL);
	nap_raw(0.05);
	return t;
}

/* The same calls on a free object and on one that is taken: by t. */
static void locks(pthread_mutex_t *m, pthread_rwlock_t *read, pthread_rwlock_t *write)
{
	SAY(pthread_mutex_timedlock(m, &wild));
	SAY(pthread_mutex_unlock(m));
	SAY(pthread_mutex_timedlock(m, &past));
	SAY(pthread_mutex_unlock(m));
	SAY(pthread_mutex_clocklock(m, NO_CLOCK, &late));
	SAY(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &wild));
	SAY(pthread_rwlock_timedrdlock(read, &wild));
	SAY(pthread_rwlock_timedrdlock(read, &past));
	SAY(pthread_rwlock_clockrdlock(read, NO_CLOCK, &late));
	SAY(pthread_rwlock_clockrdlock(read, CLOCK_MONOTONIC, &below));
	SAY(pthread_rwlock_timedwrlock(write, &below));
	SAY(pthread_rwlock_clockwrlock(write, NO_CLOCK, &late));
	SAY(pthread_rwlock_clockwrlock(write, CLOCK_REALTIME, &wild));
	SAY(pthread_rwlock_timedwrlock(write, &past));
}

static void bad(void)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_rwlock_t read = PTHREAD_RWLOCK_INITIALIZER,
				write = PTHREAD_RWLOCK_INITIALIZER;
	sem_t s;
	mtx_t x;
	pthread_t t = ended(), u = ended();
	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 1;
	sem_init(&s, 0, 2);
	SAY(sem_timedwait(&s, &wild));
	SAY(sem_timedwait(&s, &below));
	SAY(sem_clockwait(&s, NO_CLOCK, &late));
	SAY(sem_clockwait(&s, CLOCK_MONOTONIC, &wild));
	SAY(sem_timedwait(&s, &past));
	SAY(sem_trywait(&s));
	SAY(sem_timedwait(&s, &past));
	locks(&m, &read, &write);
	mtx_init(&x, mtx_timed);
	SAY(mtx_timedlock(&x, &wild));
	SAY(pthread_clockjoin_np(t, NULL, NO_CLOCK, &late));
	SAY(pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &wild));
	SAY(pthread_timedjoin_np(u, NULL, &wild));
	SAY(pthread_clockjoin_np(pthread_self(), NULL, NO_CLOCK, &late));
	SAY(pthread_timedjoin_np(pthread_self(), NULL, &past));
}

/* ---- cancellation ---- */

static sem_t two;
static volatile int waits_for_cancel, has_cancel;

static void wait_once(int how)
{
	struct timespec soon = late;
	if (how == 0)
		sem_wait(&two);
	else if (how == 1)
		sem_timedwait(&two, &soon);
	else if (how == 2)
		sem_clockwait(&two, CLOCK_REALTIME, &soon);
	else
		sem_timedwait(&two, &wild); /* refused before it looks for a cancellation */
}

static void *to_be_cancelled(void *how)
{
	int state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	increment(&waits_for_cancel);
	await_raw(&has_cancel, waits_for_cancel);
	pthread_setcancelstate(state, NULL);
	wait_once((int)(long)how);
	return "went on";
}

static void cancel(void)
{
	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 30;
	sem_init(&two, 0, 8);
	for (int how = 0; how < 4; how++) {
		pthread_t t;
		void *result;
		pthread_create(&t, NULL, to_be_cancelled, (void *)(long)how);
		await_raw(&waits_for_cancel, how + 1);
		pthread_cancel(t);
		increment(&has_cancel);
		pthread_join(t, &result);
		printf("%d: %s\n", how, result == PTHREAD_CANCELED ? "cancelled" : (char *)result);
	}
	int value;
	sem_getvalue(&two, &value);
	printf("left %d\n", value);
}

/* ---- errno ---- */

static void *sleeper(void *argument)
{
	nap_raw(0.05);
	return argument;
}

static void keep_errno(void)
{
	pthread_t t;
	struct timespec soon;
	pthread_create(&t, NULL, sleeper, NULL);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec = 0;
	SAY(pthread_timedjoin_np(t, NULL, &soon) == ETIMEDOUT);
	SAY(pthread_join(t, NULL));
	for (int i = 0; i < 300; i++) {
		errno = 77;
		pthread_create(&t, NULL, end, NULL);
		pthread_join(t, NULL);
		if (errno != 77)
			printf("round %d: errno %d\n", i, errno);
	}
	errno = 77;
	BURN(0.3);
	printf("after samples: errno %d\n", errno);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "bad"))
		bad();
	else if (!strcmp(argv[1], "cancel"))
		cancel();
	else
		keep_errno();
	return 0;
}
