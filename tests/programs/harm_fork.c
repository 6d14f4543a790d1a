/* SPDX-License-Identifier: MIT */
/* harm_fork KIND: a child comes back from the middle of a call. once (the routine of pthread_once
 * forks), c11 (call_once), sleep, sem, sigwait, wait, cond, join (a signal's handler that
 * interrupted that call forks; with `raw` behind it by _Fork), clone (a raw clone, whose child
 * starts threads). */
#include "truth.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>

static volatile pid_t child = -1;
static int use_raw;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* What a process does that is not just about to exec: it is worth a profile. */
static void *work(void *argument)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return argument;
}

static void goes_on(const char *who)
{
	pthread_t t;
	work(NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	BURN(0.05);
	printf("%s goes on\n", who);
	fflush(stdout);
}

static void split(void)
{
	child = use_raw ? _Fork() : fork();
}

static void handler(int number)
{
	(void)number;
	split();
	if (child == 0 && !use_raw)
		work(NULL); /* the child is awake before it comes back */
}

static void end(void)
{
	int status;
	if (child == 0) {
		goes_on("child");
		exit(3);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	goes_on("parent");
	printf("child's status %x\n", status);
}

static void *nap(void *argument)
{
	nap_raw(0.5);
	return argument;
}

static void wait_for_signal(const char *how)
{
	struct timespec t = {1, 0};
	sem_t s;
	sigset_t set;
	siginfo_t info;
	if (!strcmp(how, "sleep")) {
		nanosleep(&t, NULL);
	} else if (!strcmp(how, "sem")) {
		sem_init(&s, 0, 0);
		sem_wait(&s);
	} else if (!strcmp(how, "sigwait")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigtimedwait(&set, &info, &t);
	} else if (!strcmp(how, "cond")) {
		static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
		struct timespec until = deadline(CLOCK_REALTIME, 0.5);
		pthread_mutex_lock(&m);
		pthread_cond_timedwait(&c, &m, &until);
		pthread_mutex_unlock(&m);
	} else if (!strcmp(how, "join")) {
		pthread_t other;
		struct timespec until = deadline(CLOCK_REALTIME, 0.4);
		pthread_create(&other, NULL, nap, NULL);
		pthread_timedjoin_np(other, NULL, &until);
	} else {
		wait(NULL);
	}
}

static void by_clone(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child) {
		end();
		return;
	}
	for (int i = 0; i < 4; i++) {
		pthread_create(&t, NULL, work, NULL);
		pthread_join(t, NULL);
	}
	syscall(SYS_exit_group, 3);
}

static void lock_memory(void)
{
	for (int i = 0; i < 50; i++)
		work(NULL); /* the parent has call paths, locks, and samples */
	BURN(0.1);
	child = fork();
	if (!child && mlockall(MCL_CURRENT))
		puts("cannot lock its memory");
	if (!child)
		BURN(0.1);
	end();
}

int main(int argc, char **argv)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static once_flag flag = ONCE_FLAG_INIT;
	struct sigaction action = {.sa_handler = handler};
	struct itimerval soon = {.it_value = {0, 100000}};

	if (argc < 2)
		return 2;
	use_raw = argc > 2;
	if (!strcmp(argv[1], "clone")) {
		by_clone();
		return 0;
	}
	if (!strcmp(argv[1], "locked")) {
		lock_memory();
		return 0;
	}
	if (!strcmp(argv[1], "once")) {
		pthread_once(&once, split);
	} else if (!strcmp(argv[1], "c11")) {
		call_once(&flag, split);
	} else {
		sigaction(SIGALRM, &action, NULL);
		setitimer(ITIMER_REAL, &soon, NULL);
		wait_for_signal(argv[1]);
	}
	end();
	return 0;
}
