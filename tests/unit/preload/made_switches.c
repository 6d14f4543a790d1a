/* SPDX-License-Identifier: MIT */
#include "made_switches.h"

#include <string.h>

enum { RINGS = 4, RECORDS = 1 << 16 };

static struct {
	struct switch_record records[RINGS][RECORDS];
	uint64_t head[RINGS], tail[RINGS];
	unsigned rings, consumed, windows;
} made;

static void open_rings(unsigned count)
{
	memset(made.head, 0, sizeof made.head);
	memset(made.tail, 0, sizeof made.tail);
	made.rings = count;
}

int switches_open(void)
{
	open_rings(RINGS);
	return 0;
}

int switches_open_threads(const uint32_t *tids, unsigned count)
{
	(void)tids;
	if (count > RINGS)
		return -1;
	open_rings(count);
	made.windows++;
	return 0;
}

void switches_close(void)
{
	made.rings = 0;
}

void switches_forget(void)
{
	made.rings = 0;
}

bool switches_lack_memory(void)
{
	return false;
}

bool switches_are_open(void)
{
	return made.rings != 0;
}

unsigned switches_count(void)
{
	return made.rings;
}

uint32_t switches_here(void)
{
	return 0;
}

uint64_t switches_tail(unsigned ring)
{
	return made.tail[ring];
}

bool switches_have_news(unsigned ring)
{
	return made.tail[ring] != made.head[ring];
}

bool switches_next(unsigned ring, uint64_t *position, struct switch_record *record)
{
	if (*position == made.head[ring])
		return false;
	*record = made.records[ring][*position % RECORDS];
	record->position = ++*position;
	return true;
}

void switches_consume(unsigned ring, uint64_t position)
{
	made.consumed += (unsigned)(position - made.tail[ring]);
	made.tail[ring] = position;
}

void made_switches_add(unsigned ring, uint64_t time_ns, uint32_t tid, enum switch_kind kind)
{
	if (ring < made.rings && made.head[ring] - made.tail[ring] < RECORDS)
		made.records[ring][made.head[ring]++ % RECORDS] =
			(struct switch_record){.time_ns = time_ns, .tid = tid, .kind = kind};
}

unsigned made_switches_consumed(void)
{
	return made.consumed;
}

unsigned made_switches_windows(void)
{
	return made.windows;
}
