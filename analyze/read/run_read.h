/* SPDX-License-Identifier: MIT */
/* A run on disk: which directory, what its run.json says, and the profiles of its processes.
 *
 * What cannot be read is left out and said in `problems`; a run without a single readable profile
 * is an error. Context: reads files, /proc and clocks; prints nothing. */
#pragma once

#include "analyze/read/profile_read.h"

struct run_process {
	struct profile *profile;
	bool is_alive; /* its state says running, and the kernel agrees */
};

struct run_files {
	char *directory;               /* or the one file that was asked for */
	char *command;                 /* of run.json; NULL if it says nothing */
	char *start;                   /* ISO time of run.json, or NULL */
	struct run_process *processes; /* in the order of their starts */
	size_t process_count, process_capacity;
	uint64_t now_ns; /* CLOCK_MONOTONIC of the reading: the end so far of what is alive */
	struct text_list problems;
	bool is_damaged; /* a profile is torn or cannot be read */
};

/* path: a run directory, a profile, or NULL for the newest run below the current directory.
 * NULL, with a reason that the caller releases, if nothing can be read. */
struct run_files *run_files_open(const char *path, char **problem);
void run_files_destroy(struct run_files *files);
