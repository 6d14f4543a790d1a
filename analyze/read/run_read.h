/* SPDX-License-Identifier: MIT */
/* A run on disk: which directory, what its run.json says, and who its processes are.
 *
 * Profiles are read twice: here for what tells processes apart, their starts, ends and children,
 * and once more, one at a time, by run_files_profile: a run may have more profiles than fit into
 * memory. What cannot be read is left out and said in `problems`; a run without a single readable
 * profile is an error. Context: reads files, /proc and clocks; prints nothing. */
#pragma once

#include "analyze/read/processors_used.h"
#include "analyze/read/profile.h"

struct merged_file;
struct merged_processes;

struct run_process {
	const char *path;                      /* NULL: the profile is in memory, or merged */
	const struct merged_processes *merged; /* its row of a merged run; NULL: it has a profile */
	struct profile *profile;               /* while it is read; always, if it is in memory */
	bool is_alive;                         /* its state says running, and the kernel agrees */
	bool is_torn;
	struct format_header header;
	struct profile_process process;
	struct profile_child *children;
	size_t child_count;
	uint64_t rank, rank_count; /* of its MPI job; a count of 0: it is no rank */
	uint64_t last_sign_ns;     /* the last instant from which there is word of it */
	bool is_idle;              /* all of its threads waited then */
	uint64_t worked_ns;        /* of its busiest thread: on a processor, or ready for one */
};

struct run_files {
	char *directory;               /* or the one file that was asked for */
	char *command;                 /* of run.json; NULL if it says nothing */
	char *start;                   /* ISO time of run.json, or NULL */
	struct processors_used processors;
	struct run_process *processes; /* in the order of their starts */
	size_t process_count, process_capacity;
	struct run_process *others; /* beyond the share: of use for the lives of the share's */
	size_t other_count, other_capacity;
	struct merged_file **merged; /* their processes stand one behind the other above */
	size_t merged_count, merged_capacity;
	uint64_t now_ns; /* CLOCK_MONOTONIC of the last reading: the end so far of what is alive */
	struct text_list problems;
	bool is_damaged;        /* a profile is torn or cannot be read */
	struct text_set *texts; /* of the processes */
};

/* The share of one of `count` readers: files number index, index + count, ... */
struct run_share {
	size_t index, count;
};

/* path: a run directory, a profile, or NULL for the newest run below the current directory.
 * NULL, with a reason that the caller releases, if nothing can be read. */
struct run_files *run_files_open(const char *path, char **problem);
/* Several runs or profiles as one; of a share, there may be nothing to read. */
struct run_files *run_files_open_all(char *const *paths, size_t count, struct run_share share,
				     char **problem);
void run_files_destroy(struct run_files *files);

/* The profile of a process, until run_files_release. What is known of the process is renewed: it
 * may have gone on since the run was opened. NULL, and said in `problems`, if it cannot be read any
 * more. */
const struct profile *run_files_profile(struct run_files *files, size_t process);
/* Those of the share, and the others behind them: index < process_count + other_count. */
const struct run_process *run_files_process(const struct run_files *files, size_t index);
void run_files_release(struct run_files *files, size_t process);

/* A run without files, and a process whose profile is in memory; it is taken over. */
struct run_files *run_files_create(const char *directory);
void run_files_add_profile(struct run_files *files, struct profile *profile);
/* The processes of a merged run; it is taken over. */
void run_files_add_merged(struct run_files *files, struct merged_file *merged);
