/* SPDX-License-Identifier: MIT */
/* A preset: events for one purpose, and the metrics that follow from them, as a readable file.
 *
 *   # a line of comment
 *   description What it is for, in one line.
 *   [skl skx icl*]            the section of these processors: PMUs of libpfm4, with * ? and [...]
 *   event NAME                or: event NAME as SHORT, by which formulas call it
 *   metric NAME [UNIT] = FORMULA
 *   [any]                     of any processor
 *
 * The first section that has a PMU of this machine is taken; all others are checked as well. A
 * formula (formula.h) names events of its section that stand above it. docs/counters.md tells
 * users. */
#pragma once

#include "event_code.h"
#include "formula.h"

#include <stdbool.h>
#include <stddef.h>

enum { PRESET_EVENTS_MAX = 24, PRESET_METRICS_MAX = 16 };

struct preset {
	char description[160];
	bool has_section; /* for one of the given PMUs */
	char section[160];
	int event_count, metric_count;
	struct preset_event {
		char name[EVENT_NAME_SIZE];
		char called[EVENT_NAME_SIZE]; /* in formulas */
		int line;
	} events[PRESET_EVENTS_MAX];
	struct preset_metric {
		char name[64], unit[32], text[256];
		struct formula formula; /* its events are indices of events */
	} metrics[PRESET_METRICS_MAX];
};

/* False: error is `FILE:LINE: what is wrong and the remedy`, or says why the file cannot be read.
 */
bool preset_read(const char *path, const char *const *pmus, int pmu_count, struct preset *preset,
		 char *error, size_t size);
