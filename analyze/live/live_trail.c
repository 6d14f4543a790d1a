/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_trail.h"

#include <stdbool.h>
#include <stddef.h>

/* Cells that come into use begin empty. */
static void go_on_to(struct live_trail *trail, uint64_t cell)
{
	uint64_t first = trail->newest + 1;

	if (cell <= trail->newest)
		return;
	if (cell - trail->newest > LIVE_CELLS)
		first = cell - LIVE_CELLS + 1;
	for (uint64_t i = first; i <= cell; i++)
		trail->known_ns[i % LIVE_CELLS] = trail->running_ns[i % LIVE_CELLS] = 0;
	trail->newest = cell;
}

void live_trail_add(struct live_trail *trail, uint64_t from_ns, uint64_t to_ns, uint64_t running_ns)
{
	if (to_ns <= from_ns)
		return;
	double share = (double)running_ns / (double)(to_ns - from_ns);
	uint64_t last = (to_ns - 1) / LIVE_CELL_NS, first = from_ns / LIVE_CELL_NS;

	go_on_to(trail, last);
	if (last - first >= LIVE_CELLS)
		first = last - LIVE_CELLS + 1;
	for (uint64_t i = first; i <= last; i++) {
		uint64_t begin = i * LIVE_CELL_NS, end = begin + LIVE_CELL_NS;
		uint64_t ns = (to_ns < end ? to_ns : end) - (from_ns > begin ? from_ns : begin);

		if (i + LIVE_CELLS <= trail->newest)
			continue;
		trail->known_ns[i % LIVE_CELLS] += ns;
		trail->running_ns[i % LIVE_CELLS] += (uint64_t)(share * (double)ns);
	}
}

static uint8_t percent(uint64_t running_ns, uint64_t known_ns)
{
	if (!known_ns)
		return LIVE_CELL_UNKNOWN;
	double share = 100 * (double)running_ns / (double)known_ns;

	return share < 100 ? (uint8_t)(share + 0.5) : 100;
}

void live_trail_read(const struct live_trail *trail, uint64_t now_ns, uint8_t cells[LIVE_CELLS])
{
	uint64_t last = now_ns / LIVE_CELL_NS;

	for (uint64_t i = 0; i < LIVE_CELLS; i++) {
		uint64_t back = LIVE_CELLS - 1 - i, cell = last - back;
		bool is_kept =
			last >= back && cell <= trail->newest && cell + LIVE_CELLS > trail->newest;

		cells[i] = is_kept ? percent(trail->running_ns[cell % LIVE_CELLS],
					     trail->known_ns[cell % LIVE_CELLS])
				   : LIVE_CELL_UNKNOWN;
	}
}
