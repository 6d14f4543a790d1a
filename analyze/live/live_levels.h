/* SPDX-License-Identifier: MIT */
/* T_i of a process at a reading, and between two. The table accounts up to an instant that may be
 * some time ago; between two readings it accounts for the time between those two instants.
 * Context: pure. */
#pragma once

#include "analyze/live/live_frame.h"
#include "analyze/read/profile.h"

/* Times by enum concurrency_kind and level. */
#define LIVE_KINDS (CONCURRENCY_WINDOWS_USEFUL + 1)

struct live_kinds {
	uint64_t ns[LIVE_KINDS][LIVE_LEVELS];
	bool has_windows; /* records are taken in windows: between them, levels are not known */
};

struct live_kinds live_kinds_of(const struct profile *profile);
/* As the report: what records saw, and between windows of records, as in these. Without
 * levels where an interval had too little of them: all of it was unseen. */
struct live_levels live_levels_between(const struct live_kinds *before,
				       const struct live_kinds *now);
void live_levels_add(struct live_levels *into, const struct live_levels *from);

/* Brings them into agreement with the average that the CPU clocks give, where they differ by more
 * than CALIBRATION_AGREEMENT; their sum stays the same. Useful ones change in proportion. */
void live_levels_calibrate(struct live_levels *levels, double average, uint64_t processors);

/* Of an interval in which nothing was accounted for, since all threads wait: what the CPU clocks
 * say, if it is next to nothing. */
void live_levels_guess(struct live_levels *levels, uint64_t interval_ns, uint64_t cpu_ns);

/* T_i: their sum, and sum(i T_i). */
uint64_t live_levels_total(const uint64_t levels[LIVE_LEVELS]);
double live_levels_average(const uint64_t levels[LIVE_LEVELS]);
