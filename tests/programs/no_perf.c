/* SPDX-License-Identifier: MIT */
/* no_perf [--kill|--trap] PROGRAM [ARG...]: runs the program where perf_event_open fails with
 * EPERM, as in most containers; or kills, as in a unit of systemd with SystemCallFilter=. */
#include "truth.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

int main(int argc, char **argv)
{
	unsigned answer = SECCOMP_RET_ERRNO | EPERM;
	if (argc > 1 && !strcmp(argv[1], "--kill"))
		answer = SECCOMP_RET_KILL_PROCESS, argv++, argc--;
	else if (argc > 1 && !strcmp(argv[1], "--trap"))
		answer = SECCOMP_RET_TRAP, argv++, argc--;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 125;
	execv(argv[1], argv + 1);
	return 127;
}
