/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/progress.h"

#include "common/real_clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_NS 1000000000u
#define PAUSE_NS    100000000u
#define BAR_COLUMNS 30

static struct {
	bool is_enabled, is_drawn;
	uint64_t next_ns; /* not before this instant */
} progress;

void progress_enable(void)
{
	const char *terminal = getenv("TERM");

	progress.is_enabled =
		isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
	progress.next_ns = real_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
}

void progress_disable(void)
{
	progress.is_enabled = progress.is_drawn = false;
}

static void draw(const char *what, size_t done, size_t all)
{
	char bar[BAR_COLUMNS + 1];
	size_t full = all ? done * BAR_COLUMNS / all : BAR_COLUMNS;

	memset(bar, ' ', BAR_COLUMNS);
	memset(bar, '#', full < BAR_COLUMNS ? full : BAR_COLUMNS);
	bar[BAR_COLUMNS] = 0;
	fprintf(stderr, "\r%s [%s] %zu of %zu\033[K", what, bar, done, all);
	fflush(stderr);
	progress.is_drawn = true;
}

void progress_step(const char *what, size_t done, size_t all)
{
	uint64_t instant = progress.is_enabled ? real_clock_ns(CLOCK_MONOTONIC) : 0;

	if (!instant || instant < progress.next_ns)
		return;
	progress.next_ns = instant + PAUSE_NS;
	draw(what, done, all);
}

void progress_erase(void)
{
	if (progress.is_drawn)
		fputs("\r\033[K", stderr);
	progress.is_drawn = false;
}
