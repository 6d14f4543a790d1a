/* SPDX-License-Identifier: MIT */
/* wakeups KIND N: a producer wakes a worker N times, and each time the worker finds an item.
 *   outside   it lets go of the lock to work
 *   signals   it keeps the lock, and says that it took the item
 *   inside    it keeps the lock, and works for 50 us
 *   nothing   as outside; it is woken N times more before, and finds nothing
 *   times     nobody wakes it: a time limit passes N times
 * Truth: how often the worker's wait returned by a signal, how often it found nothing and waited
 * again, how often its time was up, and how often it was signalled. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, taken = PTHREAD_COND_INITIALIZER;
static const char *kind;
static volatile int waits, items, ended;
static int number, woken, nothing, timeouts, signals;

/* One time in thousands a condition lets go a thread that nobody signalled: then its waits are more
 * than those who woke it. */
static void wait_for_item(void)
{
	int first = 1;
	while (!items && !ended) {
		nothing += !first;
		first = 0;
		waits = 1;
		pthread_cond_wait(&filled, &lock);
		waits = 0;
		woken++;
	}
}

static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		wait_for_item();
		if (!items)
			break;
		items--;
		if (!strcmp(kind, "outside") || !strcmp(kind, "nothing")) {
			pthread_mutex_unlock(&lock);
			pthread_mutex_lock(&lock);
		} else if (!strcmp(kind, "signals")) {
			pthread_cond_signal(&taken);
		} else if (!strcmp(kind, "inside")) {
			SPIN(50e-6);
		}
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

/* When the worker waits, and not before: it finds what it is woken for, if there is something. */
static void wake(int with_item, int last)
{
	int done = 0;
	while (!done) {
		nap_raw(0.0002);
		pthread_mutex_lock(&lock);
		if (waits) {
			done = 1;
			items += with_item;
			ended = last;
			signals++;
			pthread_cond_signal(&filled);
			waits = 0;
		}
		pthread_mutex_unlock(&lock);
	}
}

static void pass_time(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < number; i++) {
		struct timespec until = deadline(CLOCK_REALTIME, 0.001);
		timeouts += pthread_cond_timedwait(&filled, &lock, &until) == ETIMEDOUT;
	}
	pthread_mutex_unlock(&lock);
}

int main(int count, char **arguments)
{
	pthread_t thread;
	kind = count > 1 ? arguments[1] : "outside";
	number = count > 2 ? atoi(arguments[2]) : 10;
	if (!strcmp(kind, "times")) {
		pass_time();
	} else {
		pthread_create(&thread, NULL, worker, NULL);
		for (int i = 0; i < number; i++) {
			if (!strcmp(kind, "nothing"))
				wake(0, 0);
			wake(1, 0);
		}
		wake(0, 1);
		pthread_join(thread, NULL);
	}
	truth("woken", woken);
	truth("nothing", nothing);
	truth("timeouts", timeouts);
	truth("signals", signals);
	truth_end();
	return 0;
}
