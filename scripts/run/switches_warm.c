/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "switches_warm.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

void switches_warm(void)
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
