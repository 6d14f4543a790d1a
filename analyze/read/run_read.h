/* SPDX-License-Identifier: MIT */
/* A run on disk: its directory, what its run.json says, and its processes.
 *
 * Profiles are read twice: here for what identifies processes, their starts, ends and children, and
 * once more, one at a time, by run_files_profile, since the profiles of a run may not fit into
 * memory together. What cannot be read is left out and reported in `problems`; a run without a
 * single readable profile is an error. Context: reads files, /proc and clocks; prints nothing. */
#pragma once

#include "analyze/read/processors_used.h"
#include "analyze/read/profile.h"

struct merged_file;
struct merged_processes;

struct run_process {
	const char *path;                      /* NULL: the profile is in memory, or merged */
	const struct merged_processes *merged; /* its row of a merged run; NULL: it has a profile */
	struct profile *profile;               /* while it is read; always, if it is in memory */
	bool is_alive; /* its state says running, and the kernel knows such a process */
	bool is_torn;
	struct format_header header;
	struct profile_process process;
	struct profile_child *children;
	size_t child_count;
	uint64_t rank, rank_count; /* of its MPI job; a count of 0: no rank */
	uint64_t last_sign_ns;     /* the last instant at which it showed signs of life */
	bool is_idle;              /* at that instant all of its threads were in waits */
	uint64_t worked_ns;        /* by its busiest thread: on a processor, or ready for one */
};

struct run_files {
	char *directory; /* or the single file that was named */
	char *command;   /* from run.json; NULL if it says nothing */
	char *start;     /* ISO time of run.json, or NULL */
	struct processors_used processors;
	struct run_process *processes; /* in the order of their starts */
	size_t process_count, process_capacity;
	struct run_process *others; /* outside of the share; needed to judge the lives of the
				       share's processes */
	size_t other_count, other_capacity;
	struct merged_file **merged; /* their processes follow one another in `processes` */
	size_t merged_count, merged_capacity;
	uint64_t now_ns; /* CLOCK_MONOTONIC of the last reading: what is still alive ends there so
			    far */
	struct text_list problems;
	const char *section; /* of the program, to which profiles are restricted (profile_within.h);
				NULL: they are not */
	bool has_section;    /* a profile that was read has it */
	bool is_damaged;     /* a profile is torn or cannot be read */
	struct text_set *texts; /* texts of the processes */
};

/* The share of one of `count` readers: the files number index, index + count, ... */
struct run_share {
	size_t index, count;
};

/* path: a run directory, a profile, the number of a process that is profiled now (unless a file has
 * that name), or NULL for the newest run below the current directory.
 * NULL, with a reason that the caller releases, if nothing can be read. */
struct run_files *run_files_open(const char *path, char **problem);
/* Several runs or profiles as one run; a share may contain nothing to read. */
struct run_files *run_files_open_all(char *const *paths, size_t count, struct run_share share,
				     char **problem);
void run_files_destroy(struct run_files *files);

/* The profile of a process, valid until run_files_release. Also updates what is known of the
 * process, which may have gone on since the run was opened. NULL, with an entry in `problems`, if
 * it can no longer be read. */
const struct profile *run_files_profile(struct run_files *files, size_t process);
/* The processes of the share, followed by the others: index < process_count + other_count. */
const struct run_process *run_files_process(const struct run_files *files, size_t index);
void run_files_release(struct run_files *files, size_t process);

/* A run without files; and a process whose profile is in memory, which takes ownership of it. */
struct run_files *run_files_create(const char *directory);
void run_files_add_profile(struct run_files *files, struct profile *profile);
/* Adds the processes of a merged run; takes ownership of it. */
void run_files_add_merged(struct run_files *files, struct merged_file *merged);
