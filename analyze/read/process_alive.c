/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/process_alive.h"

#include "analyze/base/memory.h"
#include "common/proc_file.h"
#include "common/real_clock.h"
#include "common/stat_line.h"

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
	char numbers[512]; /* at most 32 of them */

	proc_file_value(numbers, sizeof numbers, "NSpid", "/proc/%s/status", process);
	const char *last = strrchr(numbers, '\t');
	return (uint32_t)strtoul(last ? last : numbers, NULL, 10);
}

/* State, and start in ticks since boot. */
static bool read_stat(uint32_t pid, char *state, unsigned long long *start_ticks)
{
	char line[1024];

	proc_file_read(line, sizeof line, "/proc/%u/stat", pid);
	const char *born = stat_line_field(line, STAT_BORN);
	*state = stat_line_state(line);
	*start_ticks = born ? strtoull(born, NULL, 10) : 0;
	return born;
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
	uint64_t asleep = real_clock_ns(CLOCK_BOOTTIME) - real_clock_ns(CLOCK_MONOTONIC);
	uint64_t start = ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));

	return start <= header->start_ns + asleep + START_SLACK_NS;
}
