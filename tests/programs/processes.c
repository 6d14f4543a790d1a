/* SPDX-License-Identifier: MIT */
/* processes KIND: ways to get more processes. work (compute, say so), fork, nested, vfork, spawn,
 * system, popen, chain (exec of itself), daemon (double fork; the daemon's pid is the truth), raw
 * (clone without libc), empty (exec with an empty environment), clear (clearenv, then exec),
 * abandon (the child outlives its parent by a little), subshell (a child starts a program by vfork
 * before anything else, or tries to, then works), lost (a child execs with an empty environment).
 */
#include "truth.h"
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

extern char **environ;
static const char *self;

static NOINLINE void child_work(double seconds)
{
	BURN(seconds);
	KEEP;
}

static void *work_thread(void *unused)
{
	child_work(0.05);
	return unused;
}

static void work(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work_thread, NULL);
	child_work(0.05);
	pthread_join(t, NULL);
}

static void say(const char *what, int status)
{
	printf("%s: %s %d\n", what, WIFEXITED(status) ? "exit" : "signal",
	       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	fflush(stdout);
}

static int reap(pid_t child)
{
	int status = -1;
	waitpid(child, &status, 0);
	return status;
}

static void forks(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0) {
			work();
			if (i == 0)
				exit(1);
			if (i == 1)
				_exit(2);
			kill(getpid(), SIGKILL);
		}
		say("child", reap(child));
	}
}

static void nested(int depth)
{
	pid_t child = fork();
	if (child == 0) {
		child_work(0.05);
		if (depth)
			nested(depth - 1);
		exit(depth);
	}
	say("nested", reap(child));
}

static void vforks(void)
{
	for (volatile int i = 0; i < 20; i++) {
		char *const arguments[] = {"sh", "-c", "exit 9", NULL};
		pid_t child = vfork();
		if (child == 0) {
			if (i % 2)
				_exit(10);
			execve("/bin/sh", arguments, environ);
			_exit(99);
		}
		say("vfork", reap(child));
	}
}

static void spawns(void)
{
	char *const arguments[] = {(char *)self, "work", NULL};
	for (int i = 0; i < 2; i++) {
		pid_t child;
		if (posix_spawn(&child, self, NULL, NULL, arguments, environ))
			abort();
		say("spawn", reap(child));
	}
}

static void subshells(void)
{
	static const char *const programs[] = {"/bin/true", "/nonexistent"};

	for (volatile int i = 0; i < 2; i++) {
		pid_t child = fork();
		if (child == 0) {
			pid_t first = vfork();
			if (first == 0) {
				execl(programs[i], "true", NULL);
				_exit(127);
			}
			reap(first);
			work();
			exit(7);
		}
		say("subshell", reap(child));
	}
}

static void lose(void)
{
	char *const arguments[] = {"true", NULL}, *const empty[] = {NULL};
	pid_t child = fork();

	if (child == 0) {
		execve("/bin/true", arguments, empty);
		_exit(127);
	}
	say("lost", reap(child));
}

static void pipes(void)
{
	char line[100];
	FILE *stream = popen("echo from the pipe; exit 5", "r");
	while (fgets(line, sizeof line, stream))
		fputs(line, stdout);
	say("popen", pclose(stream));
}

static void chain(int links)
{
	char number[16];
	work();
	printf("link %d\n", links);
	fflush(stdout);
	if (links == 0)
		exit(11);
	snprintf(number, sizeof number, "%d", links - 1);
	if (links % 2)
		execl(self, self, "chain", number, NULL);
	else
		execle(self, self, "chain", number, NULL, environ);
}

static void daemon_twice(void)
{
	int ends[2], pid = 0;
	if (pipe(ends))
		abort();
	pid_t child = fork();
	if (child == 0) {
		setsid();
		if (fork())
			_exit(0);
		pid = getpid();
		work();
		if (write(ends[1], &pid, sizeof pid) < 0)
			_exit(1);
		exit(0);
	}
	say("daemon's parent", reap(child));
	close(ends[1]);
	if (read(ends[0], &pid, sizeof pid) != sizeof pid)
		abort();
	char byte;
	while (read(ends[0], &byte, 1) > 0)
		; /* until the daemon has gone */
	nap_raw(0.05);
	truth("daemon", pid);
}

static void raw(void)
{
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0) {
		pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		for (int i = 0; i < 1000; i++) {
			pthread_mutex_lock(&m);
			pthread_mutex_unlock(&m);
		}
		child_work(0.05);
		_exit(12);
	}
	say("raw", reap(child));
}

static void abandon(void)
{
	int ends[2];
	if (pipe(ends))
		abort();
	if (fork() == 0) {
		close(ends[0]);
		nap_raw(0.2);
		child_work(0.05);
		exit(0);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	char *const work_arguments[] = {argv[0], "work", NULL}, *const empty[] = {NULL};
	self = argv[0];
	if (!strcmp(kind, "chain"))
		chain(argc > 2 ? atoi(argv[2]) : 3);
	work();
	truth("pid", getpid());
	if (!strcmp(kind, "fork"))
		forks();
	else if (!strcmp(kind, "nested"))
		nested(3);
	else if (!strcmp(kind, "vfork"))
		vforks();
	else if (!strcmp(kind, "spawn"))
		spawns();
	else if (!strcmp(kind, "system"))
		say("system", system("exit 3"));
	else if (!strcmp(kind, "subshell"))
		subshells();
	else if (!strcmp(kind, "lost"))
		lose();
	else if (!strcmp(kind, "popen"))
		pipes();
	else if (!strcmp(kind, "daemon"))
		daemon_twice();
	else if (!strcmp(kind, "raw"))
		raw();
	else if (!strcmp(kind, "abandon"))
		abandon();
	else if (!strcmp(kind, "empty"))
		execve(self, work_arguments, empty);
	else if (!strcmp(kind, "clear"))
		clearenv(), execv(self, work_arguments);
	else
		puts("worked");
	if (strcmp(kind, "work"))
		truth_end();
	return 0;
}
