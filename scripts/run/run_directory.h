/* SPDX-License-Identifier: MIT */
/* The directory that holds one run: run.json, written once, and a profile for each process image.
 *
 * Several ptrace-run of one job may create and join the same directory at once. Nothing is ever
 * followed through a symbolic link at the last component, and a directory that is not ours is not
 * written to. Errors end ptrace-run with a message and status 125: nothing has been started at that
 * point. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct run_directory {
	int file;            /* open directory, close-on-exec */
	char path[PATH_MAX]; /* absolute */
	bool is_new;         /* created by this call */
};

/* output NULL: the first free PROGRAM.ptrace.N of the working directory, PROGRAM being the last
 * part of name. */
void run_directory_open(struct run_directory *run, const char *output, const char *name);

/* Takes back a directory that was created for a program that could not be executed. */
void run_directory_discard(struct run_directory *run);

/* Writes run.json, unless another rank of the job was first. Failing is not fatal (the program
 * runs): one line says so. */
void run_directory_describe(const struct run_directory *run, char **command, pid_t child,
			    const struct timespec *start);
