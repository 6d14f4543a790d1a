/* SPDX-License-Identifier: MIT */
/* What a rank says when its program has ended: the last one reports on the job.
 *
 * The launcher ends a job when a rank is killed, Open MPI also when one ends with a status other
 * than 0, and kills the other ptrace-run processes, or their report. So the first rank that ends
 * like this while others run says at once, in one line and without a report, where the profile is.
 * If the others live on after all, the last one reports as usual.
 *
 * If programs take the place of ptrace-run, no ptrace-run is left at the end: one line is printed
 * at the start. */
#pragma once

#include "launcher.h"
#include "new_directory.h"

#include <stdbool.h>

/* Before the program takes the place of ptrace-run: says where the profiles will be, once for each
 * job. */
void job_end_announce(const struct run_directory *run, const struct launcher_job *job,
		      const char *program);

/* Marks this rank as ended for the other ranks. Does nothing without a job. */
void job_end_mark(const struct run_directory *run, const struct launcher_job *job);

/* After job_end_mark: should this rank report on the job? Without a job, always. status: as of
 * wait(2). */
bool job_end_is_speaker(const struct run_directory *run, const struct launcher_job *job,
			int status);
