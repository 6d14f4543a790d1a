/* SPDX-License-Identifier: MIT */
/* slow_perf PROGRAM [ARG...]: runs the program where each perf_event_open takes 20 ms, for which its
 * thread sleeps: so long the first one takes on a machine whose kernel patches its own code for it.
 * A filter stops the call until this process lets it go on. */
#include "truth.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* The listener, which closes with the exec; -1: there can be none. */
static int stop_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

/* Until no process is left that the filter is of. */
static void let_go_on(int listener)
{
	struct pollfd look = {.fd = listener, .events = POLLIN};

	while (poll(&look, 1, -1) > 0 && look.revents & POLLIN) {
		struct seccomp_notif call = {0};
		struct seccomp_notif_resp answer = {.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue; /* it was killed meanwhile */
		nap_raw(0.02);
		answer.id = call.id;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

int main(int argc, char **argv)
{
	int ready[2], listener = -1, status;

	if (argc < 2 || pipe2(ready, O_CLOEXEC))
		return 125;
	/* descriptors are common to both until the exec */
	long child = syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
	if (!child) {
		listener = stop_calls();
		if (write(ready[1], &listener, sizeof listener) != sizeof listener || listener < 0)
			_exit(125);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || read(ready[0], &listener, sizeof listener) != sizeof listener)
		return 125;
	if (listener >= 0)
		let_go_on(listener);
	waitpid((pid_t)child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
