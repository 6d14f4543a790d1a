/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include "preload/base/clock.h"
#include "preload/file/store_map.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64];
static pid_t owner;

static void clean(void)
{
	char path[PATH_MAX];
	DIR *files = owner == getpid() ? opendir(directory) : NULL;

	for (struct dirent *file = files ? readdir(files) : NULL; file; file = readdir(files)) {
		snprintf(path, sizeof path, "%s/%s", directory, file->d_name);
		unlink(path);
	}
	if (files)
		closedir(files);
	rmdir(directory);
}

const char *scratch_directory(void)
{
	return directory;
}

int scratch_open(void)
{
	if (owner == getpid())
		clean(); /* of the one before */
	else
		atexit(clean);
	strcpy(directory, "/tmp/preload-unit.XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	owner = getpid();
	real_resolve();
	module_map_start();
	return store_open(directory, "host", (uint32_t)getpid(), clock_now_ns());
}

static _Noreturn void die(const char *what, uint64_t offset)
{
	fprintf(stderr, "the framing is broken at %#lx: %s\n", offset, what);
	abort();
}

/* Is there a block? A walk may have entered a block just before it appeared, and then looks into
 * it, 64 bytes after 64 bytes, while its thread writes texts there: that is no race of the tool's,
 * whose readers are other processes, and TSan is not asked about it. */
__attribute__((no_sanitize("thread"))) static bool may_be_block(const struct format_block *block)
{
	return *(const volatile uint32_t *)&block->magic == FORMAT_BLOCK_MAGIC;
}

unsigned scratch_walk(void (*visit)(const struct format_block *block, void *context), void *context)
{
	const struct format_header *header = store_header();
	uint64_t used = __atomic_load_n(&header->used_bytes, __ATOMIC_ACQUIRE);
	uint64_t space = __atomic_load_n(&header->file_bytes, __ATOMIC_ACQUIRE);
	uint64_t end = used < space ? used : space;
	unsigned count = 0;

	for (uint64_t at = header->blocks_offset; at < end;) {
		const struct format_block *block = store_map_place(at, sizeof *block);
		if (!may_be_block(block) ||
		    __atomic_load_n(&block->magic, __ATOMIC_ACQUIRE) != FORMAT_BLOCK_MAGIC) {
			at += 64; /* reserved, and not filled in yet */
			continue;
		}
		if (block->bytes % 64 || block->bytes < sizeof *block || at + block->bytes > used)
			die("length", at);
		if (block->table >= TABLE_COUNT ||
		    sizeof *block + (uint64_t)block->row_bytes * block->capacity > block->bytes)
			die("rows", at);
		if (!(block = store_map_place(at, block->bytes)))
			die("more than one window", at);
		if (visit)
			visit(block, context);
		count++;
		at += block->bytes;
	}
	return count;
}

struct sum {
	enum schema_table table;
	uint64_t key;
	uint32_t offset;
	uint64_t total;
};

static void add_block(const struct format_block *block, void *context)
{
	struct sum *sum = context;
	const char *rows = (const char *)(block + 1);

	if (block->table != sum->table)
		return;
	for (uint32_t i = 0; i < block->capacity; i++) {
		uint64_t key, value;
		memcpy(&key, rows + i * block->row_bytes, sizeof key);
		memcpy(&value, rows + i * block->row_bytes + sum->offset, sizeof value);
		if (key && (!sum->key || sum->key == key))
			sum->total += value;
	}
}

uint64_t scratch_sum(enum schema_table table, uint64_t key, uint32_t offset)
{
	struct sum sum = {.table = table, .key = key, .offset = offset};

	scratch_walk(add_block, &sum);
	return sum.total;
}

void scratch_run(unsigned threads, void *(*routine)(void *))
{
	pthread_t handles[16];

	for (unsigned i = 0; i < threads; i++)
		pthread_create(&handles[i], NULL, routine, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(handles[i], NULL);
}

struct unwind_stack scratch_stack(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t bytes;

	if (pthread_getattr_np(pthread_self(), &attributes))
		abort();
	pthread_attr_getstack(&attributes, &low, &bytes);
	return (struct unwind_stack){(uint64_t)&attributes - 65536, (uint64_t)low + bytes};
}
