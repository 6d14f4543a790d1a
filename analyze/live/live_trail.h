/* SPDX-License-Identifier: MIT */
/* How much of the last minute a thread was on a processor, in cells of equal length. A cell is an
 * average over the intervals that lie in it; of an interval that reaches into several cells, each
 * gets a share by length. Cells begin at multiples of their length, so that the newest one is
 * shorter until it is over. Context: pure. */
#pragma once

#include <stdint.h>

#define LIVE_CELLS        12
#define LIVE_CELL_NS      UINT64_C(5000000000)
#define LIVE_CELL_UNKNOWN UINT8_MAX

struct live_trail {
	uint64_t newest; /* number of a cell: instant / LIVE_CELL_NS */
	/* by number of the cell modulo LIVE_CELLS */
	uint64_t known_ns[LIVE_CELLS], running_ns[LIVE_CELLS];
};

/* An interval, and what was used of it. */
void live_trail_add(struct live_trail *trail, uint64_t from_ns, uint64_t to_ns,
		    uint64_t running_ns);
/* Percent, the oldest cell first, the one of now_ns last. LIVE_CELL_UNKNOWN: nothing is known. */
void live_trail_read(const struct live_trail *trail, uint64_t now_ns, uint8_t cells[LIVE_CELLS]);
