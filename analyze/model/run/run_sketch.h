/* SPDX-License-Identifier: MIT */
/* A run at a glance: what can be told of it without its model, as a list of runs shows it. The
 * figures are those of its report, by the same code. Context: pure. */
#pragma once

#include "analyze/model/process/process.h"

struct run_sketch {
	char *command, *start; /* ISO 8601 */
	uint64_t started_ns;   /* CLOCK_REALTIME */
	uint64_t elapsed_ns;
	size_t processes; /* images */
	char *status;     /* how the program ended: the first of its processes that matter
			     (process_life_is_needed) and did not exit with 0; else the last */
	bool is_complete; /* all of these ended by themselves, and nothing is damaged */
};

/* The files have a process at least. */
struct run_sketch run_sketch_of(const struct run_files *files);
void run_sketch_clear(struct run_sketch *sketch);

const char *run_command(const struct run_files *files);
/* Released by the caller. */
char *run_start_text(const struct run_files *files);
/* From the first start to the last end. Where clocks of processes differ (process_clock.h), by the
 * time of day. */
uint64_t run_elapsed_ns(const struct process *processes, size_t count);
