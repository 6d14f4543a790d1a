/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/timeline.h"

#include "preload/file/store.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	BINS = 512,
	FIRST_SHIFT = 20, /* 1.05 ms: all bins are half a second */
	METRICS = TIMELINE_METRIC_COUNT - 1,
};

static struct {
	struct row_timeline *rows[METRICS]; /* BINS each; NULL: none yet */
	uint32_t shift;
	uint64_t first; /* number of the first bin */
	bool has_failed;
} line;

static void number_bins(void)
{
	for (unsigned metric = 0; metric < METRICS; metric++)
		for (unsigned i = 0; i < BINS; i++) {
			line.rows[metric][i].bin = line.first + i;
			line.rows[metric][i].shift = line.shift;
		}
}

static bool open_rows(uint64_t from_ns)
{
	for (unsigned metric = 0; metric < METRICS && !line.has_failed; metric++) {
		struct format_block *block = store_block(
			TABLE_timeline, sizeof(struct row_timeline), FORMAT_NO_OWNER, 0, BINS);
		line.rows[metric] = block ? store_rows(block) : NULL;
		line.has_failed = !block;
	}
	if (line.has_failed)
		return false;
	line.shift = FIRST_SHIFT;
	line.first = from_ns >> FIRST_SHIFT;
	number_bins();
	for (unsigned metric = 0; metric < METRICS; metric++)
		for (unsigned i = 0; i < BINS; i++)
			line.rows[metric][i].metric = metric + 1;
	return true;
}

static void fold(void)
{
	uint64_t first = line.first >> 1;

	for (unsigned metric = 0; metric < METRICS; metric++)
		for (unsigned i = 0; i < BINS; i++) {
			struct row_timeline *rows = line.rows[metric];
			uint64_t time_ns = rows[i].time_ns;
			rows[i].time_ns = 0;
			rows[((line.first + i) >> 1) - first].time_ns += time_ns;
		}
	line.first = first;
	line.shift++;
	number_bins();
}

/* The bin of an instant; folds until there is one. */
static unsigned bin_of(uint64_t at_ns)
{
	uint64_t bin = at_ns >> line.shift;

	while (bin >= line.first + BINS) {
		fold();
		bin = at_ns >> line.shift;
	}
	return bin > line.first ? (unsigned)(bin - line.first) : 0;
}

void timeline_add(enum timeline_metric metric, uint64_t from_ns, uint64_t to_ns, uint64_t time_ns)
{
	if (!time_ns || to_ns <= from_ns || line.has_failed ||
	    (!line.rows[0] && !open_rows(from_ns)))
		return;
	bin_of(to_ns);
	while (from_ns < to_ns) {
		uint64_t end_ns = ((from_ns >> line.shift) + 1) << line.shift;
		unsigned bin = bin_of(from_ns);
		uint64_t part = time_ns;
		if (end_ns < to_ns)
			part = (uint64_t)((unsigned __int128)time_ns * (end_ns - from_ns) /
					  (to_ns - from_ns));
		else
			end_ns = to_ns;
		line.rows[metric - 1][bin].time_ns += part;
		time_ns -= part;
		from_ns = end_ns;
	}
}

void timeline_take(enum timeline_metric metric, uint64_t at_ns, uint64_t time_ns)
{
	if (!line.rows[0] || line.has_failed)
		return;
	for (unsigned bin = bin_of(at_ns);; bin--) {
		uint64_t *there = &line.rows[metric - 1][bin].time_ns;
		uint64_t part = *there < time_ns ? *there : time_ns;
		*there -= part;
		time_ns -= part;
		if (!time_ns || !bin)
			return;
	}
}

void timeline_reset(void)
{
	for (unsigned metric = 0; metric < METRICS; metric++)
		line.rows[metric] = NULL;
	line.has_failed = false;
}
