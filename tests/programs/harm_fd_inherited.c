/* SPDX-License-Identifier: MIT */
/* harm_fd_inherited: prints what a program inherits from whoever starts it: open descriptors,
 * signals, limits, interval timers, terminal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static char text[8192];
static size_t used;

#define SAY(...) (used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__))

static void say_descriptors(void)
{
	for (int fd = 0; fd < 256; fd++) {
		struct stat status;
		int flags = fcntl(fd, F_GETFL);

		if (flags < 0 || fstat(fd, &status))
			continue;
		SAY("descriptor %d: type %o, access %d, close-on-exec %d\n", fd,
		    status.st_mode & S_IFMT, flags & O_ACCMODE, fcntl(fd, F_GETFD));
	}
}

static void say_signals(void)
{
	struct sigaction action;
	sigset_t blocked, pending;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	sigpending(&pending);
	for (int number = 1; number < NSIG; number++) {
		if (sigaction(number, NULL, &action))
			continue;
		if (action.sa_handler != SIG_DFL || sigismember(&blocked, number) == 1 ||
		    sigismember(&pending, number) == 1)
			SAY("signal %d: ignored %d, blocked %d, pending %d\n", number,
			    action.sa_handler == SIG_IGN, sigismember(&blocked, number),
			    sigismember(&pending, number));
	}
}

static void say_limits(void)
{
	for (int which = 0; which < RLIM_NLIMITS; which++) {
		struct rlimit limit;

		getrlimit((__rlimit_resource_t)which, &limit);
		SAY("limit %d: %lld %lld\n", which, (long long)limit.rlim_cur,
		    (long long)limit.rlim_max);
	}
}

static void say_timers(void)
{
	for (int which = 0; which < 3; which++) {
		struct itimerval timer;

		getitimer((__itimer_which_t)which, &timer);
		SAY("timer %d: set %d, repeated %d\n", which,
		    timer.it_value.tv_sec || timer.it_value.tv_usec,
		    timer.it_interval.tv_sec || timer.it_interval.tv_usec);
	}
}

static void say_rest(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof set, &set);
	SAY("group of the parent %d, session of the parent %d, foreground %d\n",
	    getpgrp() == getpgid(getppid()), getsid(0) == getsid(getppid()),
	    tcgetpgrp(0) == getpgrp());
	SAY("terminal %d %d %d\n", isatty(0), isatty(1), isatty(2));
	SAY("nice %d, policy %d, processors %d, umask %o\n", getpriority(PRIO_PROCESS, 0),
	    sched_getscheduler(0), CPU_COUNT(&set), umask(0));
	SAY("dumpable %d, no new privileges %d, slack %d\n", prctl(PR_GET_DUMPABLE),
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_TIMERSLACK));
}

/* To the file that is named, as the descriptors of its own may be closed. */
int main(int argc, char **argv)
{
	say_descriptors();
	say_signals();
	say_limits();
	say_timers();
	say_rest();
	int file = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600) : STDOUT_FILENO;

	return write(file, text, used) != (ssize_t)used;
}
