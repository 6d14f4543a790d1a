/* SPDX-License-Identifier: MIT */
/* The directory of one run: run.json, written once, a profile for each process image and, when the
 * program has ended, processors.json (processors_file.h).
 *
 * Several ptrace-run processes of one job may create and join the same directory at once. A
 * symbolic link as the last component is never followed, and a directory that is not ours is not
 * written to. Errors end ptrace-run with a message and status 125: nothing has been started at that
 * point. */
#pragma once

#include "launcher.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct run_directory {
	int file;            /* open directory, close-on-exec */
	char path[PATH_MAX]; /* absolute */
	bool is_new;         /* created by this call */
	bool is_of_job;      /* created by a rank of this job, and for it alone */
	bool is_named;       /* given with -o */
	bool is_added;       /* may have the run of another start, to which this one is added */
	bool is_claimed;     /* by this call (run_claim.h) */
};

/* output: must be empty or of this very start, which process tells: the one that the run is of; or,
 * if is_added, any run of this tool. NULL: the directory of the job, if there is one; else the first free PROGRAM.ptrace.N of
 * the working directory, PROGRAM being the last part of name. If the ranks cannot agree, says so
 * and continues alone (job->key becomes ""). */
void run_directory_open(struct run_directory *run, const char *output, bool is_added,
			const char *name, struct launcher_job *job, pid_t process);

/* Tells the other ranks of the job that this one runs. Does nothing without a job. */
void run_directory_enroll(const struct run_directory *run, struct launcher_job *job,
			  bool is_in_place);

/* This rank continues as if it were alone; one line says why. */
void run_directory_leave_job(const struct run_directory *run, struct launcher_job *job,
			     const char *reason);

/* Removes a directory that was created for a program that could not be executed; that of a job when
 * the last rank has failed. */
void run_directory_discard(struct run_directory *run, const struct launcher_job *job);

/* 0 if a profile of the smallest size could be created there now, else the errno that prevents
 * it. */
int run_directory_find_refusal(const struct run_directory *run);

/* Writes run.json, unless another rank of the job was first. Failing is not fatal, since the
 * program runs: one line says so. Returns 0 or the errno. */
int run_directory_describe(const struct run_directory *run, const struct launcher_job *job,
			   char **command, pid_t child, const struct timespec *start);
