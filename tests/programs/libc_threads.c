/* SPDX-License-Identifier: MIT */
/* libc_threads KIND: the program makes no thread; libc makes some, in which its routine locks. KIND
 * is timer (SIGEV_THREAD), aio (the notice of a write) or message (mq_notify). */
#include "truth.h"

#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

enum { ROUNDS = 30, LOCKS = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

static void take_locks(union sigval value)
{
	(void)value;
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	sem_post(&done);
}

static void need(int result, int wanted)
{
	if (result != wanted)
		exit(3);
}

static void by_timers(struct sigevent *event)
{
	const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
	timer_t timer;

	need(timer_create(CLOCK_MONOTONIC, event, &timer), 0);
	for (int i = 0; i < ROUNDS; i++) {
		need(timer_settime(timer, 0, &soon, NULL), 0);
		sem_wait(&done);
	}
}

static void by_aio(struct sigevent *event)
{
	char byte = 'x';
	struct aiocb block = {.aio_fildes = open("/dev/null", O_WRONLY), .aio_buf = &byte,
			      .aio_nbytes = 1, .aio_sigevent = *event};

	for (int i = 0; i < ROUNDS; i++) {
		need(aio_write(&block), 0);
		sem_wait(&done);
	}
}

static void by_messages(struct sigevent *event)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 8};
	char name[64], bytes[8];

	snprintf(name, sizeof name, "/libc_threads.%d", (int)getpid());
	mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	if (queue == (mqd_t)-1)
		exit(77); /* no queues here */
	mq_unlink(name);
	for (int i = 0; i < ROUNDS; i++) {
		need(mq_notify(queue, event), 0);
		need(mq_send(queue, "x", 1, 0), 0);
		sem_wait(&done);
		need((int)mq_receive(queue, bytes, sizeof bytes, NULL), 1);
	}
}

int main(int count, char **arguments)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = take_locks};
	const char *kind = count > 1 ? arguments[1] : "";

	sem_init(&done, 0, 0);
	if (!strcmp(kind, "timer"))
		by_timers(&event);
	else if (!strcmp(kind, "aio"))
		by_aio(&event);
	else if (!strcmp(kind, "message"))
		by_messages(&event);
	else
		return 2;
	truth("locks", ROUNDS * LOCKS);
	truth_end();
	return 0;
}
