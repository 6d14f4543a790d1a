/* SPDX-License-Identifier: MIT */
/* A caller that leaves something to a program by executing it without a fork:
 *   kept SCENE COMMAND...   prepares the scene, and executes the command, which is to end with
 *                           `kept SCENE`
 *   kept SCENE              is the program, and prints what it finds
 * Scenes are the rows of the table below. A caller that may not prepare its scene exits 77. */
#include "truth.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>

#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

static void need(int is_done, const char *what)
{
	if (is_done)
		return;
	perror(what);
	exit(77);
}

static void start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		usleep(100000);
		_exit(7);
	}
}

static void wait_for_child(void)
{
	int status = 0;
	pid_t child = wait(&status);

	printf("child %d, status %d\n", child > 0, WEXITSTATUS(status));
}

static void set_numbers(void)
{
	char number[24], filled[64];

	snprintf(number, sizeof number, "%d", getpid());
	setenv("LISTEN_PID", number, 1);
	setenv("LISTEN_FDS", "1", 1);
	setenv("LISTEN_PIDFDID", "4711", 1);
	setenv("WATCHDOG_PID", number, 1);
	setenv("APP_PID", number, 1);
	setenv("PID_OF_APP", number, 1);
	setenv("OTHER_PID", "1", 1);
	snprintf(filled, sizeof filled, "%050d", getpid());
	setenv("FILLED_PID", filled, 1);
}

static int is_mine(const char *name)
{
	return atoi(getenv(name)) == getpid();
}

static void tell_numbers(void)
{
	printf("mine: %d %d %d; another's: %s; descriptors: %s; digits: %zu\n",
	       is_mine("LISTEN_PID"), is_mine("WATCHDOG_PID"), is_mine("APP_PID"),
	       getenv("OTHER_PID"), getenv("LISTEN_FDS"), strlen(getenv("FILLED_PID")));
}

static void set_policy(void)
{
	struct sched_param parameter = {.sched_priority = 1};

	need(!sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameter), "real time");
}

static void set_batch(void)
{
	struct sched_param parameter = {0};

	need(!sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &parameter), "batch");
}

static void tell_policy(void)
{
	struct sched_param parameter;

	sched_getparam(0, &parameter);
	printf("policy %#x, priority %d\n", sched_getscheduler(0), parameter.sched_priority);
}

static const char file_name[] = "kept.file";
static struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

static void lock_file(void)
{
	int file = open(file_name, O_RDWR | O_CREAT, 0600);

	need(file >= 0 && !fcntl(file, F_SETLK, &lock), "lock");
}

/* Behind many locks of the open file, which say nothing of the process. */
static void lock_much(void)
{
	int file = open(file_name, O_RDWR | O_CREAT, 0600);

	need(file >= 0, "file");
	for (int i = 1; i <= 40; i++) {
		struct flock other = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * i, .l_len = 1};
		need(!fcntl(file, F_OFD_SETLK, &other), "lock of the open file");
	}
	struct flock first = lock;
	first.l_len = 1;
	need(!fcntl(file, F_SETLK, &first), "lock");
}

static void lock_first(void)
{
	struct flock first = lock;
	int file = open(file_name, O_RDWR);

	first.l_len = 1;
	printf("lock %d\n", fcntl(file, F_SETLK, &first));
}

static void lock_again(void)
{
	int file = open(file_name, O_RDWR);
	int result = fcntl(file, F_SETLK, &lock);

	printf("lock %d\n", result);
}

static void own_pipe(void)
{
	int ends[2];

	need(!pipe(ends) && ends[0] == 3 && !fcntl(3, F_SETOWN, getpid()), "pipe");
	need(!fcntl(3, F_SETFL, O_ASYNC | O_NONBLOCK), "asynchronous");
}

static void write_pipe(void)
{
	sigset_t io;

	sigemptyset(&io);
	sigaddset(&io, SIGIO);
	sigprocmask(SIG_BLOCK, &io, NULL);
	printf("write %zd\n", write(4, "x", 1));
	sigpending(&io);
	printf("owner %d, signal %d\n", fcntl(3, F_GETOWN) == getpid(), sigismember(&io, SIGIO));
}

static void become_reaper(void)
{
	need(!prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "reaper");
}

static void reap_orphan(void)
{
	int is_reaper = 0, status = 0;

	prctl(PR_GET_CHILD_SUBREAPER, &is_reaper, 0, 0, 0);
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0) {
			usleep(100000);
			_exit(4);
		}
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pid_t orphan = wait(&status);
	printf("reaper %d, orphan %d, status %d\n", is_reaper, orphan > 0, WEXITSTATUS(status));
}

static void send_signals(void)
{
	const int numbers[] = {SIGUSR1, SIGALRM, SIGCHLD};
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < 3; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 42});
	kill(getpid(), SIGALRM);
	kill(getpid(), SIGCHLD);
}

/* No other one is pending. */
static void queue_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int value = 77; value < 80; value++)
		sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = value});
}

/* sigtimedwait at once: sigisemptyset does not look at real-time signals. */
static void take_signals(void)
{
	const struct timespec now = {0, 0};
	sigset_t set;
	siginfo_t signal;

	sigpending(&set);
	while (sigtimedwait(&set, &signal, &now) > 0) {
		printf("signal %d, code %d, value %d, mine %d\n", signal.si_signo, signal.si_code,
		       signal.si_code == SI_QUEUE ? signal.si_value.sival_int : 0,
		       signal.si_pid == getpid());
		sigpending(&set);
	}
}

static void set_timer(void)
{
	const struct itimerval soon = {.it_value.tv_sec = 1000};

	setitimer(ITIMER_REAL, &soon, NULL);
	setitimer(ITIMER_PROF, &soon, NULL);
}

static void tell_timer(void)
{
	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		struct itimerval left;
		getitimer(which, &left);
		printf("timer %d runs: %d\n", which, left.it_value.tv_sec > 0);
	}
}

static void make_namespace(void)
{
	need(!unshare(CLONE_NEWPID), "namespace");
}

static void fork_in_namespace(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(getpid() == 1 ? 1 : 2);
	waitpid(child, &status, 0);
	printf("first process %d, its child %d\n", getpid() == 1, WEXITSTATUS(status) == 1);
}

static void set_service(void)
{
	char number[24];

	snprintf(number, sizeof number, "%d", getpid());
	setenv("SYSTEMD_EXEC_PID", number, 1);
}

static void tell_service(void)
{
	printf("main process %d, its parent's child %d\n", is_mine("SYSTEMD_EXEC_PID"),
	       getppid() == atoi(getenv("STARTED_BY")));
}

/* The scene has nothing that only the same process keeps. */
static void nothing(void)
{
}

static const struct {
	const char *name;
	void (*prepare)(void), (*tell)(void);
} scenes[] = {
	{"children", start_child, wait_for_child}, {"numbers", set_numbers, tell_numbers},
	{"policy", set_policy, tell_policy},       {"batch", set_batch, tell_policy},
	{"locks", lock_file, lock_again},          {"many_locks", lock_much, lock_first},
	{"owner", own_pipe, write_pipe},           {"reaper", become_reaper, reap_orphan},
	{"signals", send_signals, take_signals},   {"queued_signals", queue_signals, take_signals},
	{"timers", set_timer, tell_timer},         {"namespace", make_namespace, fork_in_namespace},
	{"service", set_service, tell_service},    {"nothing", nothing, nothing},
};

int main(int count, char **arguments)
{
	for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
		if (count < 2 || strcmp(scenes[i].name, arguments[1]))
			continue;
		if (count == 2) {
			scenes[i].tell();
			return 3;
		}
		scenes[i].prepare();
		execvp(arguments[2], arguments + 2);
	}
	return 1;
}
