/* SPDX-License-Identifier: MIT */
/* How and when the process images of a run ended, from their own words, those of their parents, and
 * the kernel's. Context: pure. */
#pragma once

#include "analyze/read/run_read.h"

enum life_state {
	LIFE_EXITED,   /* code: exit status */
	LIFE_KILLED,   /* code: signal */
	LIFE_REPLACED, /* by exec */
	LIFE_RUNNING,
	LIFE_UNKNOWN, /* no word of an end, and it is not there any more (or not here) */
};

struct process_life {
	enum life_state state;
	int code;
	uint64_t end_ns;  /* the end, or the last instant that is known */
	bool is_complete; /* it ended by itself: nothing of the run is missing */
};

struct process_life process_life_of(const struct run_files *files, size_t process);

/* The run needs its end: it is a rank, or the program that was started, whose parent is not in the
 * run. What happens to a helper is the program's own affair. */
bool process_life_is_needed(const struct run_files *files, size_t process);

/* The words of the report: "exited 0", "killed by SIGSEGV", ...; released by the caller. */
char *process_life_text(const struct process_life *life);
