/* SPDX-License-Identifier: MIT */
/* Merging by several processes that share nothing but a directory: each merges its share of the
 * files into a part, and rank 0 waits for the parts and combines them.
 *
 * A part is written under a temporary name and renamed: a part that exists is complete. The wait is
 * limited by the time without progress. Context: ptrace-merge; ends the program with one line if it
 * cannot go on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Which of how many processes of one launch this is, from the launcher's environment: no MPI
 * library is needed, and any launcher will do. */
struct launch_rank {
	size_t rank, size;
	char job[64]; /* identifies the launch if the launcher names it; letters and digits */
};

/* rank 0 of 1 if no launcher has started ranks. False if its variables make no sense. */
bool launch_rank_read(struct launch_rank *launch);

/* The directory of the parts below the merged run, created if it does not exist; released by the
 * caller. */
char *merge_parts_directory(const char *output, const struct launch_rank *launch);
char *merge_parts_path(const char *directory, size_t rank);
/* Waits until all parts exist; seconds: the longest time without a new one. */
void merge_parts_wait(const char *directory, size_t size, unsigned seconds);
void merge_parts_remove(const char *directory, size_t size);
