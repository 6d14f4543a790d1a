/* SPDX-License-Identifier: MIT */
/* What a rank says when its program has ended: the last one speaks for the job.
 *
 * The launcher ends a job when a rank is killed, Open MPI also when one ends with a status other
 * than 0, and kills the other ptrace-run, or their report. So the first rank that ends so, while
 * others run, says at once, in one line and without a report, where the profile is. When the others
 * live on after all, the last one speaks as ever.
 *
 * Where programs take the place of ptrace-run nobody is left at the end: one line at the start. */
#pragma once

#include "launcher.h"
#include "run_directory.h"

#include <stdbool.h>

/* Before the program takes the place of ptrace-run: says where the profiles will be, once a job. */
void job_end_announce(const struct run_directory *run, const struct launcher_job *job,
		      const char *program);

/* Marks the end for the other ranks. Nothing happens without a job. */
void job_end_mark(const struct run_directory *run, const struct launcher_job *job);

/* After it: whether this rank is to report on the job; without a job, always. status: as of
 * wait(2). */
bool job_end_is_speaker(const struct run_directory *run, const struct launcher_job *job,
			int status);
