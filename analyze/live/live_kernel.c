/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_kernel.h"

#include "analyze/read/process_look.h"

#include <sys/stat.h>
#include <time.h>

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
	struct thread_look look = {0};

	if (is_our_namespace(pid_namespace))
		look = thread_look_at((uint32_t)pid, tid);
	return (struct live_kernel){.is_known = look.is_timed,
				    .state = look.state ? look.state : '?',
				    .cpu_ns = look.cpu_ns,
				    .ready_ns = look.ready_ns};
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
