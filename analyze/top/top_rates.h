/* SPDX-License-Identifier: MIT */
/* Counts of an interval as rates, a second. Context: pure. Results are released by the caller. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* "47.9 k"; "n/a" where nothing is known, or no time has passed. */
char *top_rate(uint64_t count, uint64_t ns, bool is_known);
/* "1.50 KiB" */
char *top_rate_of_bytes(uint64_t bytes, uint64_t ns, bool is_known);
