/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "event_probe.h"

#include "common/proc_file.h"
#include "perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 0 or errno. */
static int open_once(const struct event_code *code, bool is_for_user)
{
	struct perf_event_attr attributes = {
		.size = sizeof attributes,
		.type = code->type,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.precise_ip = code->flags >> EVENT_PRECISE_SHIFT & 3,
		.exclude_kernel = is_for_user || (code->flags & EVENT_WITHOUT_KERNEL),
		.exclude_user = (code->flags & EVENT_WITHOUT_USER) != 0,
		.exclude_hv = 1,
	};

	if (perf_events_kill())
		return EPERM;
	int file = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (file < 0)
		return errno;
	close(file);
	return 0;
}

static enum event_state probe(const struct event_code *code, int *error)
{
	*error = open_once(code, false);
	if (!*error)
		return EVENT_WORKS;
	if (*error != EACCES && *error != EPERM)
		return EVENT_REFUSED;
	if (code->flags & (EVENT_WITHOUT_USER | EVENT_WITHOUT_KERNEL) ||
	    event_code_is_kernels(code))
		return EVENT_REFUSED;
	*error = open_once(code, true);
	if (*error)
		return EVENT_REFUSED;
	/* a clock does not look at who runs */
	return event_code_is_clock(code) ? EVENT_WORKS : EVENT_FOR_USER;
}

enum event_state event_probe(const struct event_code *code)
{
	int error;

	return probe(code, &error);
}

static int paranoia(void)
{
	char text[16];

	return proc_file_read(text, sizeof text, "/proc/sys/kernel/perf_event_paranoid")
		       ? atoi(text)
		       : -2;
}

/* The kernel looks at the flags before it looks at who asks; a filter answers in its place. */
static bool is_filtered(void)
{
	return perf_events_kill() ||
	       (syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0ul) < 0 && errno != EINVAL);
}

const char *event_probe_obstacle(char *text, unsigned long size)
{
	const struct event_code cycles = {.type = PERF_TYPE_HARDWARE,
					  .config = PERF_COUNT_HW_CPU_CYCLES};
	int error;

	if (probe(&cycles, &error) != EVENT_REFUSED)
		return NULL;
	if (is_filtered())
		snprintf(
			text, size,
			"perf_event_open is refused (%s), as by seccomp in many containers: "
			"--cap-add PERFMON or --security-opt seccomp=FILE of the container allow it",
			strerror(error));
	else if (error == EACCES || error == EPERM)
		snprintf(
			text, size,
			"refused to this user (kernel.perf_event_paranoid is %d; with 2, a program's "
			"own code may be counted)",
			paranoia());
	else
		snprintf(text, size, "the kernel has none here (%s), as in most virtual machines",
			 strerror(error));
	return text;
}

const char *event_probe_restriction(char *text, unsigned long size)
{
	const struct event_code faults = {.type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_PAGE_FAULTS};

	if (event_probe(&faults) != EVENT_FOR_USER)
		return NULL;
	snprintf(
		text, size,
		"kernel.perf_event_paranoid is %d; with 1, what the kernel does may be counted as well",
		paranoia());
	return text;
}
