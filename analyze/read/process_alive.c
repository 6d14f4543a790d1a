/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/process_alive.h"

#include "analyze/base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The kernel states the start of a process in clock ticks (10 ms), and the profile begins after
 * it. */
#define START_SLACK_NS 20000000

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t process_clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static bool is_this_host(const char *host)
{
	char name[256] = "";

	return !gethostname(name, sizeof name - 1) && !strcmp(name, host);
}

/* The namespace in which the process's numbers are valid. */
static uint64_t namespace_of(const char *process)
{
	char *path = memory_print("/proc/%s/ns/pid", process);
	struct stat status;
	bool is_known = !stat(path, &status);

	free(path);
	return is_known ? status.st_ino : 0;
}

/* The last number of a line "NSpid: 4711 1": its number in its own namespace. */
static uint32_t inner_number(const char *process)
{
	char *path = memory_print("/proc/%s/status", process), line[512];
	FILE *file = fopen(path, "re");
	uint32_t number = 0;

	while (file && !number && fgets(line, sizeof line, file)) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NSpid:", 6) && last)
			number = (uint32_t)strtoul(last, NULL, 10);
	}
	if (file)
		fclose(file);
	free(path);
	return number;
}

/* Fields 3 (state) and 22 (start in ticks since boot) of proc(5) stat; the name before them may
 * hold anything. */
static bool read_stat(uint32_t pid, char *state, unsigned long long *start_ticks)
{
	char *path = memory_print("/proc/%u/stat", pid), line[1024] = "";
	FILE *file = fopen(path, "re");
	char *rest = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;

	if (file)
		fclose(file);
	free(path);
	return rest && sscanf(rest,
			      ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
			      "%*d %*d %*d %llu",
			      state, start_ticks) == 2;
}

/* Its number here if it is in a container below this one; 0: there is no such process. */
static uint32_t number_of_contained(const struct profile *profile)
{
	DIR *all = opendir("/proc");
	const struct dirent *entry;
	uint32_t number = 0;

	while (all && !number && (entry = readdir(all)))
		if (isdigit((unsigned char)*entry->d_name) &&
		    namespace_of(entry->d_name) == profile->process.pid_namespace &&
		    inner_number(entry->d_name) == profile->header.pid)
			number = (uint32_t)strtoul(entry->d_name, NULL, 10);
	if (all)
		closedir(all);
	return number;
}

static uint32_t number_here(const struct profile *profile)
{
	uint64_t theirs = profile->process.pid_namespace, ours = namespace_of("self");

	return !theirs || !ours || theirs == ours ? profile->header.pid
						  : number_of_contained(profile);
}

bool process_was_here(const struct profile *profile)
{
	uint64_t theirs = profile->process.pid_namespace, ours = namespace_of("self");

	return is_this_host(profile->process.host) && (!theirs || !ours || theirs == ours);
}

bool process_is_alive(const struct profile *profile)
{
	const struct format_header *header = &profile->header;
	unsigned long long ticks;
	char state;

	if (header->state != FORMAT_STATE_RUNNING || !header->pid || header->pid > INT32_MAX ||
	    !is_this_host(profile->process.host))
		return false;
	uint32_t number = number_here(profile);
	if (!number || (kill((pid_t)number, 0) && errno == ESRCH))
		return false;
	if (!read_stat(number, &state, &ticks) || state == 'Z' || state == 'X')
		return false;
	/* The kernel counts from boot, suspended time included; the profile does not include
	 * that. */
	uint64_t asleep = read_clock(CLOCK_BOOTTIME) - process_clock_ns();
	uint64_t start = ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));

	return start <= header->start_ns + asleep + START_SLACK_NS;
}
