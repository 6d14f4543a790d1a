/* SPDX-License-Identifier: MIT */
#include "candidates.h"

#include "call_filter.h"
#include "moving_call.h"
#include "proc_text.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define CALL(name, is_restarted, has_rest) {SYS_##name, #name, is_restarted, has_rest},
static const struct waiting_call calls[] = {
#include "waiting_calls.def"
};

const struct waiting_call *waiting_call_find(long number)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static int leave_out(struct candidates *candidates, pid_t thread, const char *why, const char *call)
{
	snprintf(candidates->left_out, sizeof candidates->left_out, "thread %ld %s%s", (long)thread,
		 why, call);
	return -1;
}

/* 0 is best; -1: the thread is asleep where it should not be woken. */
static int rank_thread(struct candidates *candidates, pid_t process, struct candidate *candidate,
		       bool is_forced)
{
	pid_t thread = candidate->thread;
	char state[8];
	long number;

	if (!is_forced && call_filter_is_closed(process, thread))
		return leave_out(candidates, thread, call_filter_obstacle, "");
	if (proc_text_call(process, thread, &number, candidate->arguments)) {
		candidate->call = waiting_call_find(number);
		if (candidate->call &&
		    moving_call_may_hold(process, thread, number, candidate->arguments,
					 &candidate->is_timed))
			return leave_out(candidates, thread,
					 "may hold a part of its data, which a stop would end the "
					 "call with, in ",
					 candidate->call->name);
		return !candidate->call ? -1 : candidate->call->is_restarted ? 0 : 1;
	}
	proc_text_field(process, thread, "State", state, sizeof state);
	return state[0] == 'R' ? 2 : -1;
}

void candidates_find(struct candidates *candidates, pid_t process, bool is_forced)
{
	struct candidate ranked[3][CANDIDATES_MAX];
	int counts[3] = {0};
	char path[40];

	candidates->count = 0;
	candidates->left_out[0] = '\0';
	snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
	DIR *listing = opendir(path);
	const struct dirent *entry;
	while (listing && counts[0] < CANDIDATES_MAX && (entry = readdir(listing))) {
		struct candidate candidate = {.thread = (pid_t)strtol(entry->d_name, NULL, 10)};
		int rank = candidate.thread
				   ? rank_thread(candidates, process, &candidate, is_forced)
				   : -1;

		if (rank >= 0 && counts[rank] < CANDIDATES_MAX)
			ranked[rank][counts[rank]++] = candidate;
	}
	if (listing)
		closedir(listing);
	for (int rank = 0; rank < 3; rank++)
		for (int i = 0; i < counts[rank] && candidates->count < CANDIDATES_MAX; i++)
			candidates->list[candidates->count++] = ranked[rank][i];
}
