// SPDX-License-Identifier: MIT
// One wait, of which ptrace-attach makes a stop: that it ends when it should, with the result and
// the errno that it should, and that signals, mask, registers of floating point and descriptors are
// as they were.
//   attach_waits WAIT SECONDS     says "ready", waits, says the truth
#include "truth.h"

#include <dirent.h>
#include <fenv.h>
#include <math.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int pipes[2];
static volatile sig_atomic_t handled;
static volatile double end_seconds;

static void on_signal(int number)
{
	handled += number == SIGUSR1;
}

// What lets an endless wait end: a child that writes a byte, or sends a signal.
static pid_t child_after(double seconds, int number)
{
	pid_t parent = getpid(), child = fork();

	if (child)
		return child;
	struct timespec t = span(seconds);
	nanosleep(&t, NULL);
	if (number)
		kill(parent, number);
	else if (write(pipes[1], "x", 1) < 0)
		_exit(1);
	_exit(0);
}

static int wait_nanosleep(double s)
{
	struct timespec t = span(s);
	return nanosleep(&t, NULL);
}

static int wait_clock_nanosleep(double s)
{
	struct timespec t = deadline(CLOCK_REALTIME, s);
	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
}

static int wait_poll(double s)
{
	return poll(&(struct pollfd){pipes[0], POLLIN, 0}, 1, (int)(s * 1000));
}

static int wait_ppoll(double s)
{
	struct timespec t = span(s);
	return ppoll(&(struct pollfd){pipes[0], POLLIN, 0}, 1, &t, NULL);
}

static int wait_select(double s)
{
	fd_set set;
	struct timeval t = {(time_t)s, (suseconds_t)((s - (double)(time_t)s) * 1e6)};

	FD_ZERO(&set);
	FD_SET(pipes[0], &set);
	return select(pipes[0] + 1, &set, NULL, NULL, &t);
}

static int wait_condition(double s)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec t = deadline(CLOCK_REALTIME, s);

	pthread_mutex_lock(&mutex);
	return pthread_cond_timedwait(&condition, &mutex, &t);
}

static int wait_semaphore(double s)
{
	sem_t semaphore;
	struct timespec t = deadline(CLOCK_REALTIME, s);

	sem_init(&semaphore, 0, 0);
	return sem_timedwait(&semaphore, &t);
}

static int wait_futex(double s)
{
	unsigned word = 0;
	struct timespec t = span(s);

	return (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
}

static int wait_read(double s)
{
	char byte;

	child_after(s, 0);
	return (int)read(pipes[0], &byte, 1);
}

static int wait_recv(double s)
{
	int pair[2];
	char byte;

	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	pipes[1] = pair[1];
	child_after(s, 0);
	int result = (int)recv(pair[0], &byte, 1, 0);
	close(pair[0]);
	close(pair[1]);
	return result;
}

static int wait_child(double s)
{
	int status;

	return waitpid(child_after(s, 0), &status, 0) > 0 ? WEXITSTATUS(status) : -1;
}

static int wait_epoll(double s)
{
	int set = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN};

	epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &event);
	child_after(s, 0);
	int result = epoll_wait(set, &event, 1, -1);
	close(set);
	return result;
}

static int wait_semop(double s)
{
	int set = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf take = {0, -1, 0}, give = {0, 1, 0};

	if (fork() == 0) {
		struct timespec t = span(s);
		nanosleep(&t, NULL);
		_exit(semop(set, &give, 1) < 0);
	}
	int result = semop(set, &take, 1);
	semctl(set, 0, IPC_RMID);
	return result;
}

static int wait_signal(double s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	child_after(s, SIGUSR2);
	return sigwaitinfo(&set, NULL) == SIGUSR2 ? 0 : -1;
}

// A handler without SA_RESTART ends it with EINTR.
static int wait_interrupted(double s)
{
	char byte;

	child_after(s, SIGUSR1);
	return (int)read(pipes[0], &byte, 1);
}

static int wait_pause(double s)
{
	child_after(s, SIGUSR1);
	return pause();
}

static int wait_flow(double s)
{
	double end = now() + s;

	while (now() < end)
		for (volatile int i = 0; i < 1000; i++)
			;
	return 0;
}

static const struct wait {
	const char *name;
	int (*wait)(double);
	int result, error; // error 0: errno stays as it was
} waits[] = {
	{"nanosleep", wait_nanosleep, 0, 0},
	{"clock_nanosleep", wait_clock_nanosleep, 0, 0},
	{"poll", wait_poll, 0, 0},
	{"ppoll", wait_ppoll, 0, 0},
	{"select", wait_select, 0, 0},
	{"condition", wait_condition, ETIMEDOUT, 0},
	{"semaphore", wait_semaphore, -1, ETIMEDOUT},
	{"futex", wait_futex, -1, ETIMEDOUT},
	{"read", wait_read, 1, 0},
	{"recv", wait_recv, 1, 0},
	{"child", wait_child, 0, 0},
	{"epoll", wait_epoll, 1, 0},
	{"semop", wait_semop, 0, 0},
	{"signal", wait_signal, 0, 0},
	{"interrupted", wait_interrupted, -1, EINTR},
	{"pause", wait_pause, -1, EINTR},
	{"compute", wait_flow, 0, 0},
};

static int count_descriptors(void)
{
	DIR *listing = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(listing))
		count++;
	closedir(listing);
	return count;
}

// The kernel's mask of this thread, the dispositions and what is pending: lines of status.
static void read_signals(char *text, size_t size)
{
	char line[200];
	FILE *file = fopen("/proc/thread-self/status", "re");

	*text = '\0';
	while (fgets(line, sizeof line, file))
		if (strncmp(line, "Sig", 3) == 0 && strncmp(line, "SigQ", 4) != 0)
			strncat(text, line, size - strlen(text) - 1);
	fclose(file);
}

static void *run(void *argument)
{
	const struct wait *wait = argument;
	char before[1000], after[1000];
	int descriptors = count_descriptors();

	read_signals(before, sizeof before);
	printf("ready\n");
	fflush(stdout);
	fesetround(FE_DOWNWARD);
	double start = now();
	errno = 1234;
	int result = wait->wait(end_seconds);
	int error = errno;
	double elapsed = now() - start;
	int rounding = fegetround();
	fesetround(FE_TONEAREST);
	read_signals(after, sizeof after);
	printf("{\"result\": %d, \"errno\": %d, \"expected_result\": %d, \"expected_errno\": %d, \"elapsed\": %.6f, "
	       "\"handled\": %d, \"same_signals\": %s, \"same_rounding\": %s, \"more_descriptors\": %d}\n",
	       result, error, wait->result, wait->error ? wait->error : 1234, elapsed, (int)handled,
	       strcmp(before, after) ? "false" : "true", rounding == FE_DOWNWARD ? "true" : "false",
	       count_descriptors() - descriptors);
	return NULL;
}

static volatile int is_over;

static void *run_and_say(void *argument)
{
	run(argument);
	is_over = 1;
	return NULL;
}

// The smallest stack that is allowed. The main thread computes, so that it is not the one to be
// stopped.
static void run_on_small_stack(void *argument)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	pthread_create(&thread, &attributes, run_and_say, argument);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (!is_over)
		;
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t blocked;

	if (argc < 3 || pipe2(pipes, O_CLOEXEC) < 0)
		return 2;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_RESTART;
	sigaction(SIGHUP, &action, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	end_seconds = atof(argv[2]);
	for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
		if (strcmp(argv[1], waits[i].name) != 0)
			continue;
		if (argc > 3)
			run_on_small_stack((void *)&waits[i]);
		else
			run((void *)&waits[i]);
		return 0;
	}
	return 2;
}
