/* SPDX-License-Identifier: MIT */
#include "candidates.h"

#include "proc_text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0 is best; -1: the thread is asleep where it should not be woken. */
static int rank_thread(pid_t process, struct candidate *candidate)
{
	char state[8];
	long number;

	candidate->call = NULL;
	if (proc_text_call(process, candidate->thread, &number, &candidate->first_argument)) {
		candidate->call = waiting_call_find(number);
		return !candidate->call ? -1 : candidate->call->is_restarted ? 0 : 1;
	}
	proc_text_field(process, candidate->thread, "State", state, sizeof state);
	return state[0] == 'R' ? 2 : -1;
}

int candidates_find(pid_t process, struct candidate list[CANDIDATES_MAX])
{
	struct candidate ranked[3][CANDIDATES_MAX];
	int counts[3] = {0}, total = 0;
	char path[40];

	snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
	DIR *listing = opendir(path);
	const struct dirent *entry;
	while (listing && counts[0] < CANDIDATES_MAX && (entry = readdir(listing))) {
		struct candidate candidate = {.thread = (pid_t)strtol(entry->d_name, NULL, 10)};
		int rank = candidate.thread ? rank_thread(process, &candidate) : -1;

		if (rank >= 0 && counts[rank] < CANDIDATES_MAX)
			ranked[rank][counts[rank]++] = candidate;
	}
	if (listing)
		closedir(listing);
	for (int rank = 0; rank < 3; rank++)
		for (int i = 0; i < counts[rank] && total < CANDIDATES_MAX; i++)
			list[total++] = ranked[rank][i];
	return total;
}
