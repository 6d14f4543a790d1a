/* SPDX-License-Identifier: MIT */
/* Names of code that a program generates while it runs, as it lists them in a file for perf(1).
 *
 * Each line is `START SIZE NAME`, two hexadecimal numbers and a text that each language forms in
 * its own way. Where code came to lie over other code, the later line holds; the earlier code's
 * samples then bear its name, for the file has no times. Context: the analyzer. */
#pragma once

#include "analyze/symbols/symbol_place.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What is larger is not read: node's largest were some MiB. */
#define PERF_MAP_MOST (64 << 20)

struct perf_map;

/* Who must own the file, and when it may have been written last, in nanoseconds of CLOCK_REALTIME:
 * a process with the same number may have left another one. */
struct perf_map_claim {
	uid_t owner;
	uint64_t first_ns, last_ns;
};

/* NULL: there is no such file, or it is a link, too large, or not as claimed. */
struct perf_map *perf_map_open(const char *path, const struct perf_map_claim *claim);
void perf_map_close(struct perf_map *map); /* NULL: nothing */

/* False: no line covers the address. The texts live as long as the map. */
bool perf_map_find(struct perf_map *map, uint64_t address, struct symbol_place *place);
