/* SPDX-License-Identifier: MIT */
/* What the ptrace-run processes of one job leave for each other in the run directory: `.job-HASH`.
 *
 * The file says which job the directory belongs to, and has one byte per rank: started, ended, or
 * in place, that is, without a ptrace-run that would see its end. It appears complete. Each rank
 * writes only its own byte, at its own offset, and the last one to end sees that no other one runs:
 * nothing is appended, locked or counted, so it works on NFS as well. (If rank 0 reported, it would
 * end before others, and its figures would be of ranks that still run.) A second file,
 * `.told-HASH`, decides between ranks that end at the same instant; a third, `.failed-HASH`,
 * between ranks that fail; and a fourth, `.begun-HASH`, between ranks in place when they start.
 *
 * Context: ptrace-run. directory is the open run directory. */
#pragma once

#include "launcher.h"

#include <stdbool.h>

/* Is it the name of one of these files? */
bool job_file_is_name(const char *name);

/* The hash of the key, used in the names of files. */
void job_file_hash(const struct launcher_job *job, char text[17]);

/* Does the directory belong to this very job, and not to an older one with the same key? */
bool job_file_matches(int directory, const struct launcher_job *job);

/* Makes the directory the job's. Returns 0 (also if another rank was first) or errno; EEXIST: an
 * older job with the same key was here. */
int job_file_publish(int directory, const struct launcher_job *job);

/* Removes the files of the job again. */
void job_file_discard(int directory, const struct launcher_job *job);

void job_file_start(int directory, const struct launcher_job *job, bool is_in_place);
void job_file_end(int directory, const struct launcher_job *job);

/* Has every rank that started also ended? The end of ranks in place is not known: they count as
 * running. */
bool job_file_is_over(int directory, const struct launcher_job *job);

/* For ranks in place: has no other rank asked this before? */
bool job_file_is_first_in_place(int directory, const struct launcher_job *job);

/* After job_file_end: is this the rank that reports on the job, as no other runs any more? If some
 * ranks have never started ptrace-run, waits a short time for them to do so. *profiled: number of
 * ranks that ran under ptrace-run. */
bool job_file_is_last(int directory, const struct launcher_job *job, int *profiled);

/* Has no other rank asked this before? */
bool job_file_is_first_to_fail(int directory, const struct launcher_job *job);
