/* SPDX-License-Identifier: MIT */
/* What the ptrace-run of one job leave for each other in the run directory: `.job-HASH`.
 *
 * It says which job the directory belongs to, and holds one byte per rank: started, ended, or in
 * place, that is without a ptrace-run that would see its end. It appears complete. Each rank writes
 * only its own byte, at a place of its own, and the last one to end sees that no other runs: nothing
 * is appended, locked or counted, so it works on NFS as well. (Rank 0 as the speaker would end
 * before others, and its figures would be of ranks that still run.) A second file, `.told-HASH`,
 * decides between ranks that end in the same instant; a third, `.failed-HASH`, between ranks that
 * end badly, and a fourth, `.begun-HASH`, between those in place, when they start.
 *
 * Context: ptrace-run. directory is the open run directory. */
#pragma once

#include "launcher.h"

#include <stdbool.h>

/* Names of these files begin so. */
bool job_file_is_name(const char *name);

/* A number for each key, for use in names of files. */
void job_file_hash(const struct launcher_job *job, char text[17]);

/* Whether the directory is that of this very job, and not of an older one with the same key. */
bool job_file_matches(int directory, const struct launcher_job *job);

/* Makes the directory that of the job. Returns 0 (also if another rank was first) or errno; EEXIST:
 * an older job of the same key was here. */
int job_file_publish(int directory, const struct launcher_job *job);

/* Takes it back, with what belongs to it. */
void job_file_discard(int directory, const struct launcher_job *job);

void job_file_start(int directory, const struct launcher_job *job, bool is_in_place);
void job_file_end(int directory, const struct launcher_job *job);

/* Whether no rank has started that has not ended: of those in place nobody knows, they count. */
bool job_file_is_over(int directory, const struct launcher_job *job);

/* Of ranks in place: whether no other one has asked this before. */
bool job_file_is_first_in_place(int directory, const struct launcher_job *job);

/* After job_file_end: whether this rank is the one that speaks for the job, as no other runs any
 * more. Where some ranks have never started ptrace-run, waits shortly whether they still do.
 * *profiled: number of ranks that ran under ptrace-run. */
bool job_file_is_last(int directory, const struct launcher_job *job, int *profiled);

/* Whether no other rank has asked this before. */
bool job_file_is_first_to_fail(int directory, const struct launcher_job *job);
