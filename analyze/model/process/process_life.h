/* SPDX-License-Identifier: MIT */
/* How and when the process images of a run ended: by their own records, those of their parents, and
 * the kernel. Context: pure. */
#pragma once

#include "analyze/read/run_read.h"
#include "analyze/tables/merged.h"

enum life_state {
	LIFE_EXITED,   /* code: exit status */
	LIFE_KILLED,   /* code: signal */
	LIFE_REPLACED, /* by exec */
	LIFE_RUNNING,
	LIFE_UNKNOWN,  /* no record of an end, and it no longer exists (or is on another host) */
	LIFE_DETACHED, /* the profiler left it, and it ran on */
	LIFE_SAVED,    /* the profile is a copy that was made while it ran */
};

/* struct process_life: merged.def. is_complete: it ended by itself, or was left on purpose: nothing
 * of the run is missing. */
struct process_life process_life_of(const struct run_files *files, size_t process);

/* Is the process that started it in the run as well? */
bool process_life_has_parent(const struct run_files *files, size_t process);
/* Is the run incomplete without this process's end? True of ranks, and of the program that was
 * started, whose parent is not in the run. How a helper process ends is the program's own
 * affair. */
bool process_life_is_needed(const struct run_files *files, size_t process);

/* As text: "exited 0", "killed by SIGSEGV", ...; released by the caller. */
char *process_life_text(const struct process_life *life);
