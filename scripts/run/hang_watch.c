/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "hang_watch.h"

#include "common/fnv.h"
#include "common/proc_file.h"
#include "common/real_clock.h"
#include "report_end.h"

#include "preload/file/format.h"
#include "preload/file/schema.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOKS = 4 }; /* in the time after which it is a hang */

static struct {
	const char *directory;
	const sigset_t *mask;
	unsigned seconds;
	struct timespec pause;
	uint64_t state, since; /* what was seen last, and since when, in seconds */
	bool is_told;          /* of this hang */
	pid_t report;          /* 0: none runs */
} watch;

static uint64_t now_seconds(void)
{
	return real_clock_ns(CLOCK_MONOTONIC) / 1000000000u;
}

/* On a processor so far, nanoseconds; 0: it is not there. */
static uint64_t cpu_time(uint32_t pid, uint32_t tid)
{
	char text[64];

	proc_file_read(text, sizeof text, "/proc/%u/task/%u/schedstat", pid, tid);
	return strtoull(text, NULL, 10);
}

static uint64_t add_thread(uint64_t state, uint32_t pid, const struct row_threads *row)
{
	if (!row->tid || !(row->flags & THREAD_ALIVE))
		return state;
	state = fnv_step(fnv_step(state, row->tid), row->waiting_since_ns);
	return row->waiting_since_ns ? state : fnv_step(state, cpu_time(pid, row->tid));
}

static uint64_t add_block(uint64_t state, uint32_t pid, const struct format_block *block)
{
	const struct row_threads *rows = (const void *)(block + 1);
	size_t room = (block->bytes - sizeof *block) / sizeof *rows;

	if (block->table != TABLE_threads || block->row_bytes != sizeof *rows)
		return state;
	for (size_t i = 0; i < block->capacity && i < room; i++)
		state = add_thread(state, pid, &rows[i]);
	return state;
}

/* Where no block's header is complete yet, the next one is searched for (format.h). */
static uint64_t add_blocks(uint64_t state, const char *bytes, size_t size)
{
	const struct format_header *header = (const void *)bytes;
	uint64_t end = header->used_bytes < size ? header->used_bytes : size;
	uint64_t at = header->blocks_offset;

	if (at % sizeof(struct format_block))
		return state;
	while (at < end && end - at >= sizeof(struct format_block)) {
		const struct format_block *block = (const void *)(bytes + at);
		bool is_whole = block->magic == FORMAT_BLOCK_MAGIC &&
				block->bytes >= sizeof *block && block->bytes <= end - at;

		if (is_whole)
			state = add_block(state, header->pid, block);
		at += is_whole ? (block->bytes + 63) / 64 * 64 : sizeof *block;
	}
	return state;
}

static uint64_t add_profile(uint64_t state, int directory, const char *name)
{
	int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	if (file < 0)
		return state;
	bool is_readable = !fstat(file, &status) && status.st_size >= FORMAT_HEADER_BYTES;
	size_t size = is_readable ? (size_t)status.st_size : 0;
	char *bytes = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;

	close(file);
	if (bytes == MAP_FAILED)
		return state;
	const struct format_header *header = (const void *)bytes;

	state = fnv_step(fnv_step(state, header->pid), header->state);
	if (!memcmp(header->magic, FORMAT_MAGIC, sizeof header->magic) &&
	    header->version == FORMAT_VERSION && header->state == FORMAT_STATE_RUNNING)
		state = add_blocks(state, bytes, size);
	munmap(bytes, size);
	return state;
}

static int is_profile(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".profile");
}

/* A number that is the same as long as nothing moves. */
static uint64_t state_of_run(void)
{
	struct dirent **entries;
	int count = scandir(watch.directory, &entries, is_profile, alphasort);
	int directory = open(watch.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t state = (uint64_t)count;

	for (int i = 0; i < count; i++) {
		state = add_profile(state, directory, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (directory >= 0)
		close(directory);
	return state;
}

void hang_watch_begin(const char *directory, unsigned seconds, const sigset_t *mask)
{
	watch.directory = directory;
	watch.seconds = seconds;
	watch.mask = mask;
	watch.pause.tv_sec = seconds / LOOKS ? seconds / LOOKS : 1;
	watch.since = now_seconds();
}

const struct timespec *hang_watch_pause(void)
{
	return watch.seconds ? &watch.pause : NULL;
}

void hang_watch_look(void)
{
	if (watch.report > 0 && waitpid(watch.report, NULL, WNOHANG) == watch.report)
		watch.report = 0;
	if (!watch.seconds || watch.report > 0)
		return;
	uint64_t state = state_of_run(), now = now_seconds();

	if (state != watch.state) {
		watch.state = state;
		watch.since = now;
		watch.is_told = false;
	}
	if (watch.is_told || now - watch.since < watch.seconds)
		return;
	watch.is_told = true;
	watch.report = report_end_start_stuck(watch.directory, watch.mask);
}
