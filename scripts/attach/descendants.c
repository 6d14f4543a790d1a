/* SPDX-License-Identifier: MIT */
#include "descendants.h"

#include "scripts/run/launcher.h"
#include "scripts/run/process_stat.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 16384, DEPTH_MAX = 64 };

/* What starts the launchers of the hosts, by the begin of its name: mpiexec.hydra, mpirun.mpich.
 * The table of launchers has those alone that are parents of ranks. */
static const char *const starters[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun"};

static bool is_worker(const char *name)
{
	for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
		if (strncmp(name, starters[i], strlen(starters[i])) == 0)
			return false;
	return !launcher_is_name(name);
}

static int compare(const void *a, const void *b)
{
	pid_t one = ((const struct process_stat *)a)->pid;
	pid_t other = ((const struct process_stat *)b)->pid;

	return (one > other) - (one < other);
}

static int list_all(struct process_stat *all)
{
	DIR *listing = opendir("/proc");
	const struct dirent *entry;
	int count = 0;

	while (listing && count < PROCESSES_MAX && (entry = readdir(listing))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && process_stat_read(pid, &all[count]))
			count++;
	}
	if (listing)
		closedir(listing);
	qsort(all, (size_t)count, sizeof *all, compare);
	return count;
}

static bool is_below(const struct process_stat *all, int count, const struct process_stat *process,
		     pid_t ancestor)
{
	for (int depth = 0; process && depth < DEPTH_MAX; depth++) {
		const struct process_stat wanted = {.pid = process->parent};

		if (process->parent == ancestor)
			return true;
		process = bsearch(&wanted, all, (size_t)count, sizeof *all, compare);
	}
	return false;
}

int descendants_find(pid_t ancestor, pid_t list[DESCENDANTS_MAX])
{
	struct process_stat *all = calloc(PROCESSES_MAX, sizeof *all);
	int count = all ? list_all(all) : 0, found = 0;

	for (int i = 0; i < count && found < DESCENDANTS_MAX; i++)
		if (is_below(all, count, &all[i], ancestor) && is_worker(all[i].name))
			list[found++] = all[i].pid;
	free(all);
	return found;
}
