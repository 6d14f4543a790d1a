/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/base/memory.h"
#include "analyze/model/common/names_parts.h"
#include "analyze/read/process_alive.h"
#include "analyze/symbols/perf_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a program still writes after the profiler's end, and the clocks' difference; too short for
 * its number to come again. */
#define SLACK_NS 10000000000u
/* A file's time is that of the kernel's last tick (100 to 1000 a second), which may have come
 * before the process began. */
#define TICK_NS 10000000u

/* When its process may have written it. */
static struct perf_map_claim claim_of(const struct profile *profile, uid_t owner)
{
	const struct format_header *header = &profile->header;
	uint64_t known_ns = header->end_ns ? header->end_ns : header->heartbeat_ns;
	uint64_t lived_ns = known_ns > header->start_ns ? known_ns - header->start_ns : 0;

	return (struct perf_map_claim){
		.owner = owner,
		.first_ns = header->start_realtime_ns > TICK_NS
				    ? header->start_realtime_ns - TICK_NS
				    : 0,
		.last_ns = process_is_alive(profile)
				   ? UINT64_MAX
				   : header->start_realtime_ns + lived_ns + SLACK_NS,
	};
}

/* In the run's directory, where the user has put it: at whatever time. */
static struct perf_map *open_kept(const struct profile *profile, uid_t owner)
{
	const char *slash = strrchr(profile->path, '/');
	const struct perf_map_claim claim = {.owner = owner, .last_ns = UINT64_MAX};
	char *path = memory_print("%.*sperf-%u.map", slash ? (int)(slash + 1 - profile->path) : 0,
				  profile->path, profile->header.pid);
	struct perf_map *map = perf_map_open(path, &claim);

	free(path);
	return map;
}

/* Where perf(1) has programs write it. */
static struct perf_map *open_written(const struct profile *profile, uid_t owner)
{
	const struct perf_map_claim claim = claim_of(profile, owner);
	char *path = memory_print("/tmp/perf-%u.map", profile->header.pid);
	struct perf_map *map = process_was_here(profile) ? perf_map_open(path, &claim) : NULL;

	free(path);
	return map;
}

bool names_generated(struct names_profile *known, uint64_t address, struct symbol_place *place)
{
	const struct profile *profile = known->profile;
	struct stat status;

	if (!known->has_map && profile->path && !stat(profile->path, &status)) {
		known->map = open_kept(profile, status.st_uid);
		if (!known->map)
			known->map = open_written(profile, status.st_uid);
	}
	known->has_map = true;
	return known->map && perf_map_find(known->map, address, place);
}
