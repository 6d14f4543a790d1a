/* SPDX-License-Identifier: MIT */
/* Blocking calls with a time-out, each in a thread that has just used CPU time and goes on using it
 * afterwards: none may be interrupted. `eintr busy` has other threads compute meanwhile. */
#include "truth.h"
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define SHORT 0.012
static struct timespec t;
static struct timeval v;
static int one_end, epoll, semaphores;
static sem_t semaphore;
static sigset_t set;
static volatile int stop;

static int do_poll(void)
{
	struct pollfd p = {one_end, POLLIN, 0};
	return poll(&p, 1, 12);
}
static int do_ppoll(void)
{
	struct pollfd p = {one_end, POLLIN, 0};
	return ppoll(&p, 1, &t, NULL);
}
static int do_select(void)
{
	fd_set f;
	FD_ZERO(&f);
	FD_SET(one_end, &f);
	v = (struct timeval){0, 12000};
	return select(one_end + 1, &f, NULL, NULL, &v);
}
static int do_pselect(void)
{
	fd_set f;
	FD_ZERO(&f);
	FD_SET(one_end, &f);
	return pselect(one_end + 1, &f, NULL, NULL, &t, NULL);
}
static int do_epoll(void)
{
	struct epoll_event e;
	return epoll_wait(epoll, &e, 1, 12);
}
static int do_nanosleep(void)
{
	return nanosleep(&t, NULL);
}
static int do_clock_nanosleep(void)
{
	int e = clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	errno = e;
	return e ? -1 : 0;
}
static int do_usleep(void)
{
	return usleep(12000);
}
static int do_sleep(void)
{
	return sleep(1) ? (errno = EINTR, -1) : 0;
}
static int do_sem(void)
{
	struct timespec d = deadline(CLOCK_REALTIME, SHORT);
	return sem_timedwait(&semaphore, &d);
}
static int do_recv(void)
{
	char c;
	return (int)recv(one_end, &c, 1, 0);
}
static int do_accept(void)
{
	return accept(one_end, NULL, NULL) < 0 && errno == EINTR ? -1 : 0;
}
static int do_semtimedop(void)
{
	struct sembuf b = {0, -1, 0};
	return semtimedop(semaphores, &b, 1, &t);
}
static int do_sigtimedwait(void)
{
	return sigtimedwait(&set, NULL, &t);
}

static const struct {
	const char *name;
	int (*call)(void);
	int expected, times;
} calls[] = {
	{"poll", do_poll, 0, 8},
	{"ppoll", do_ppoll, 0, 8},
	{"select", do_select, 0, 8},
	{"pselect", do_pselect, 0, 8},
	{"epoll_wait", do_epoll, 0, 8},
	{"nanosleep", do_nanosleep, 0, 8},
	{"clock_nanosleep", do_clock_nanosleep, 0, 8},
	{"usleep", do_usleep, 0, 8},
	{"sleep", do_sleep, 0, 1},
	{"sem_timedwait", do_sem, ETIMEDOUT, 8},
	{"recv", do_recv, EAGAIN, 8},
	{"accept", do_accept, 0, 1},
	{"semtimedop", do_semtimedop, EAGAIN, 8},
	{"sigtimedwait", do_sigtimedwait, EAGAIN, 8},
};

static void *compute(void *unused)
{
	while (!stop)
		for (volatile int i = 0; i < 100000; i++)
			;
	return unused;
}

static void *call_all(void *unused)
{
	for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
		int bad = 0;
		for (int j = 0; j < calls[i].times; j++) {
			BURN(0.004);
			errno = 0;
			int result = calls[i].call();
			bad = calls[i].expected ? (result >= 0 || errno != calls[i].expected)
						: result != 0;
			if (bad)
				break;
		}
		printf("%s: %s\n", calls[i].name, !bad ? "ok" : strerror(errno));
	}
	return unused;
}

int main(int argc, char **argv)
{
	int ends[2];
	pthread_t other, caller;
	(void)argv;
	t = span(SHORT);
	v = (struct timeval){0, 12000};
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	one_end = ends[0];
	setsockopt(one_end, SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, one_end, &(struct epoll_event){.events = EPOLLIN});
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	sem_init(&semaphore, 0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (argc > 1)
		pthread_create(&other, NULL, compute, NULL);
	pthread_create(&caller, NULL, call_all, NULL);
	pthread_join(caller, NULL);
	stop = 1;
	if (argc > 1)
		pthread_join(other, NULL);
	semctl(semaphores, 0, IPC_RMID);
	return 0;
}
