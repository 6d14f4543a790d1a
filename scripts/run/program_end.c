/* SPDX-License-Identifier: MIT */
#include "program_end.h"

#include "common/real_clock.h"
#include "own_process.h"
#include "preload/file/format.h"
#include "stop_times.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void make_prefix(char *prefix, size_t size, pid_t child)
{
	static const char kept[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	char host[256];

	strcpy(host, own_process_host());
	for (char *c = host; *c; c++)
		if (!strchr(kept, *c))
			*c = '_';
	snprintf(prefix, size, "%s-%ld-", host, (long)child);
}

/* The profile with the highest sequence number: what the pid executed last. The numbers have no
 * gaps, and trying one after the other avoids reading a directory that many ranks share. */
static int open_last_profile(int directory, pid_t child)
{
	char prefix[300], name[340];
	int last = -1;

	make_prefix(prefix, sizeof prefix, child);
	for (unsigned sequence = 0;; sequence++) {
		snprintf(name, sizeof name, "%s%u.profile", prefix, sequence);
		int file = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (file < 0)
			return last;
		if (last >= 0)
			close(last);
		last = file;
	}
}

static bool is_profile_of(const struct format_header *header, pid_t child, uint64_t start_ns)
{
	return memcmp(header->magic, FORMAT_MAGIC, sizeof header->magic) == 0 &&
	       header->version == FORMAT_VERSION && header->byte_order == FORMAT_BYTE_ORDER &&
	       header->pid == (uint32_t)child && header->start_ns >= start_ns;
}

static bool put(int file, size_t offset, const void *value, size_t size)
{
	return pwrite(file, value, size, (off_t)offset) == (ssize_t)size;
}

/* The state comes last: a reader that sees it sees the rest. */
static void write_end(int file, const struct format_header *header, int32_t status)
{
	const uint32_t state = FORMAT_STATE_REAPED;
	uint64_t end_ns = real_clock_ns(CLOCK_MONOTONIC);

	if (header->end_ns == 0)
		put(file, offsetof(struct format_header, end_ns), &end_ns, sizeof end_ns);
	if (put(file, offsetof(struct format_header, status), &status, sizeof status))
		put(file, offsetof(struct format_header, state), &state, sizeof state);
}

static void write_stops(int file, const struct format_header *header)
{
	struct stop_times stops = stop_times_since(header->start_ns);

	if (!stops.last_ns) /* nor is there anything else in the file */
		return;
	put(file, offsetof(struct format_header, stopped_ns), &stops.stopped_ns,
	    sizeof stops.stopped_ns);
	put(file, offsetof(struct format_header, first_stop_ns), &stops.first_ns,
	    sizeof stops.first_ns);
	put(file, offsetof(struct format_header, last_stop_ns), &stops.last_ns,
	    sizeof stops.last_ns);
}

bool profile_end_record(int directory, pid_t child, uint64_t start_ns, int status)
{
	struct format_header header;
	int file = open_last_profile(directory, child);

	if (file < 0)
		return false;
	bool is_ours = pread(file, &header, sizeof header, 0) == sizeof header &&
		       is_profile_of(&header, child, start_ns);
	if (is_ours &&
	    (header.state == FORMAT_STATE_RUNNING || header.state == FORMAT_STATE_EXITED)) {
		write_stops(file, &header);
		write_end(file, &header, status);
	}
	close(file);
	return is_ours;
}
