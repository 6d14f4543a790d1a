/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_spark.h"

#include "analyze/base/memory.h"

#include <string.h>

enum { BARS = 8 };

/* From an eighth to the whole; whatever is not 0 % has at least the lowest. */
static const char *const bars_utf8[BARS + 1] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const bars_ascii[BARS + 1] = {".", "_", "-", ":", "=", "+", "*", "%", "#"};

static const char *bar_of(unsigned percent, bool is_utf8)
{
	unsigned bar = (percent * BARS + 99) / 100;

	return (is_utf8 ? bars_utf8 : bars_ascii)[bar < BARS ? bar : BARS];
}

static unsigned mean(const uint8_t *cells, unsigned count)
{
	unsigned sum = 0, known = 0;

	for (unsigned i = 0; i < count; i++) {
		if (cells[i] == LIVE_CELL_UNKNOWN)
			continue;
		sum += cells[i];
		known++;
	}
	return known ? (sum + known / 2) / known : LIVE_CELL_UNKNOWN;
}

char *top_spark(const uint8_t cells[LIVE_CELLS], unsigned shown, bool is_utf8)
{
	char *text = memory_allocate(shown + 1, strlen("█"));
	unsigned of_one = LIVE_CELLS / shown;
	bool is_known = false;

	for (unsigned i = 0; i < shown; i++) {
		unsigned percent = mean(cells + i * of_one, of_one);

		is_known |= percent != LIVE_CELL_UNKNOWN;
		strcat(text, percent == LIVE_CELL_UNKNOWN ? " " : bar_of(percent, is_utf8));
	}
	if (!is_known)
		*text = '\0';
	return text;
}
