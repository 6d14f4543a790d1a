/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_kernel.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file of /proc as text; false: the thread is gone, or may not be looked at. Without stdio: this
 * is called for each thread in each frame. */
static bool read_text(uint64_t pid, uint64_t tid, const char *name, char *text, size_t size)
{
	char path[80];

	snprintf(path, sizeof path, "/proc/%" PRIu64 "/task/%" PRIu64 "/%s", pid, tid, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return false;
	ssize_t got = read(file, text, size - 1);

	close(file);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

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

	if (!is_our_namespace(pid_namespace) || !read_text(pid, tid, "stat", text, sizeof text))
		return kernel;
	const char *rest = strrchr(text, ')');

	if (!rest || rest[1] != ' ' || !rest[2])
		return kernel;
	kernel.state = rest[2];
	kernel.is_known =
		read_text(pid, tid, "schedstat", text, sizeof text) &&
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
