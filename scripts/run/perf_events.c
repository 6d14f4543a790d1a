/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MODE_FILTER = 2 };

/* Flags that do not exist: no event is opened. Without a core file of it. */
static bool survives(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_DUMPABLE, 0);
		syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0ul);
		_exit(0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return child > 0 && status == 0;
}

bool perf_events_kill(void)
{
	static bool is_known, kills;

	if (!is_known)
		kills = prctl(PR_GET_SECCOMP) == MODE_FILTER && !survives();
	is_known = true;
	return kills;
}

void perf_events_warm(void)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.context_switch = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
