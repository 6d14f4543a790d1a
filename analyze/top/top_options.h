/* SPDX-License-Identifier: MIT */
/* What ptrace-top was asked for. Context: main thread, at start-up; wrong usage ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct top_options {
	bool is_once, is_batch, has_rates;
	uint64_t interval_ns;
	unsigned frames; /* of --batch; 0: no end */
	unsigned top;    /* rows per section */
	unsigned width;  /* of --once and --batch */
	const char *run; /* NULL: the newest */
};

struct top_options top_options_read(int count, char **words);
