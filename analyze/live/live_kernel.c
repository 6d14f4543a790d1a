/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_kernel.h"

#include "common/proc_file.h"
#include "common/stat_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#define THREAD_FILE "/proc/%" PRIu64 "/task/%" PRIu64 "/"

static bool is_our_namespace(uint64_t pid_namespace)
{
	static uint64_t ours;
	struct stat status;

	if (!ours && !stat("/proc/self/ns/pid", &status))
		ours = status.st_ino;
	return !pid_namespace || !ours || pid_namespace == ours;
}

struct live_kernel live_kernel_read(uint64_t pid, uint64_t tid, uint64_t pid_namespace)
{
	struct live_kernel kernel = {.state = '?'};
	char text[512];

	if (!is_our_namespace(pid_namespace) ||
	    !proc_file_read(text, sizeof text, THREAD_FILE "stat", pid, tid) ||
	    !stat_line_state(text))
		return kernel;
	kernel.state = stat_line_state(text);
	kernel.is_known =
		proc_file_read(text, sizeof text, THREAD_FILE "schedstat", pid, tid) &&
		sscanf(text, "%" SCNu64 " %" SCNu64, &kernel.cpu_ns, &kernel.ready_ns) == 2;
	return kernel;
}

bool live_kernel_cpu(uint64_t pid, uint64_t pid_namespace, uint64_t *cpu_ns)
{
	struct timespec time;
	clockid_t clock;

	if (!is_our_namespace(pid_namespace) || clock_getcpuclockid((pid_t)pid, &clock) ||
	    clock_gettime(clock, &time))
		return false;
	*cpu_ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	return true;
}
