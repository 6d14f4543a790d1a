/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/perf_map.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/generated_name.h"
#include "analyze/symbols/text_pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct piece {
	uint64_t start, end; /* behind it */
	uint64_t reach;      /* the largest end up to here, in order of starts */
	size_t number;       /* of its line */
	const char *name;    /* to the end of the line */
};

struct perf_map {
	char *text; /* with whatever bytes a program has written into it */
	size_t length;
	struct piece *pieces; /* by start, then by line */
	size_t count, capacity;
	struct text_pool pool;
};

/* ---- the file */

static bool is_claimed(int descriptor, const struct perf_map_claim *claim, size_t *size)
{
	struct stat status;

	if (fstat(descriptor, &status) || !S_ISREG(status.st_mode) ||
	    status.st_uid != claim->owner || status.st_size > PERF_MAP_MOST)
		return false;
	uint64_t written_ns =
		(uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;

	*size = (size_t)status.st_size;
	return written_ns >= claim->first_ns && written_ns <= claim->last_ns;
}

/* Not mapped: a program may cut it off meanwhile. */
static void read_text(struct perf_map *map, int descriptor, size_t size)
{
	ssize_t got;

	map->text = memory_allocate(size + 1, 1);
	while (map->length < size &&
	       (got = read(descriptor, map->text + map->length, size - map->length)) > 0)
		map->length += (size_t)got;
	map->text[map->length] = '\0';
}

static void add_line(struct perf_map *map, char *line, size_t number)
{
	char *rest, *name;
	uint64_t start = strtoull(line, &rest, 16);
	uint64_t size = strtoull(rest, &name, 16);

	if (rest == line || name == rest || *name != ' ' || !name[1] || !size ||
	    size > UINT64_MAX - start)
		return;
	map->pieces = memory_grow(map->pieces, map->count, &map->capacity, sizeof *map->pieces);
	map->pieces[map->count++] = (struct piece){
		.start = start, .end = start + size, .number = number, .name = name + 1};
}

static int compare(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* A line without an end is still being written. */
static void read_lines(struct perf_map *map)
{
	char *line = map->text, *behind = line + map->length, *end;
	uint64_t reach = 0;

	for (size_t number = 0; (end = memchr(line, '\n', (size_t)(behind - line)));
	     line = end + 1, number++) {
		*end = '\0';
		add_line(map, line, number);
	}
	if (map->count)
		qsort(map->pieces, map->count, sizeof *map->pieces, compare);
	for (size_t i = 0; i < map->count; i++) {
		reach = map->pieces[i].end > reach ? map->pieces[i].end : reach;
		map->pieces[i].reach = reach;
	}
}

struct perf_map *perf_map_open(const char *path, const struct perf_map_claim *claim)
{
	/* Everybody may write to /tmp: neither a link nor a pipe is followed. */
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	struct perf_map *map = NULL;
	size_t size;

	if (descriptor < 0)
		return NULL;
	if (is_claimed(descriptor, claim, &size)) {
		map = memory_allocate(1, sizeof *map);
		read_text(map, descriptor, size);
		read_lines(map);
	}
	close(descriptor);
	return map;
}

void perf_map_close(struct perf_map *map)
{
	if (!map)
		return;
	text_pool_clear(&map->pool);
	free(map->pieces);
	free(map->text);
	free(map);
}

/* ---- addresses */

/* Pieces that cover others are few: a file of nonsense must not make each address take long. */
enum { LOOK_BACK = 1000 };

/* How many pieces begin at the address or before. */
static size_t count_before(const struct perf_map *map, uint64_t address)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->pieces[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool perf_map_find(struct perf_map *map, uint64_t address, struct symbol_place *place)
{
	const struct piece *found = NULL;
	size_t before = count_before(map, address);
	size_t least = before > LOOK_BACK ? before - LOOK_BACK : 0;

	for (size_t i = before; i-- > least && map->pieces[i].reach > address;) {
		const struct piece *piece = &map->pieces[i];

		if (piece->end > address && (!found || piece->number > found->number))
			found = piece;
	}
	if (found)
		*place = generated_name(&map->pool, found->name);
	return found;
}
