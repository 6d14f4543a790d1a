/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "launcher.h"

#include "common/whole_number.h"
#include "process_stat.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MOST = 10, ANCESTORS_MOST = 64 };

/* The job of a launcher without a job name in the environment is identified by an argument of the
 * launcher, or else by its pid and start. Lists end at their first NULL. */
static const struct launcher {
	const char *name;
	const char *processes[NAMES_MOST];
	const char *rank, *ranks[2], *needed[3];
	unsigned long special;
	const char *more[4], *arguments[2];
	bool ends_on_status; /* it ends the job when a rank ends with a status other than 0 */
	bool signals_groups; /* signals for a rank are sent to the rank's process group */
} launchers[] = {
#define RUN(variable) variable
#define LAUNCHER(name, turn, rank, ranks, needed, special, more, processes, words, ...)            \
	{#name, processes, rank, ranks, needed, special, more, .arguments = words, __VA_ARGS__},
#include "preload/process/launchers.def"
};

enum { LAUNCHER_COUNT = sizeof launchers / sizeof launchers[0] };

/* Processes between a launcher and a rank, one for each rank. */
static const char *const helpers[] = {"sh",      "bash",    "dash",    "zsh",       "ksh",
				      "csh",     "tcsh",    "env",     "time",      "nice",
				      "numactl", "taskset", "timeout", "ptrace-run"};

static bool is_helper(const char *name)
{
	for (size_t i = 0; i < sizeof helpers / sizeof helpers[0]; i++)
		if (strcmp(helpers[i], name) == 0)
			return true;
	return false;
}

static bool starts_ranks(const struct launcher *launcher, const char *name)
{
	for (int i = 0; i < NAMES_MOST && launcher->processes[i]; i++)
		if (strcmp(launcher->processes[i], name) == 0)
			return true;
	return false;
}

static bool read_number(const char *variable, int lowest, int *number)
{
	const char *text = getenv(variable);
	long value;

	if (!text || !whole_number_read(text, lowest, INT_MAX - 1, &value))
		return false;
	*number = (int)value;
	return true;
}

static bool is_special(const struct launcher *launcher)
{
	return launcher->special &&
	       strtoul(getenv(launcher->needed[1]), NULL, 10) >= launcher->special;
}

static bool has_variables(const struct launcher *launcher, struct launcher_job *job)
{
	for (int i = 0; i < 3 && launcher->needed[i]; i++)
		if (!getenv(launcher->needed[i]))
			return false;
	if (is_special(launcher))
		return false;
	if (!read_number(launcher->rank, 0, &job->rank))
		return false;
	for (int i = 0; i < 2 && launcher->ranks[i]; i++)
		if (read_number(launcher->ranks[i], 1, &job->ranks))
			return job->rank < job->ranks;
	return false;
}

static void add_word(char *key, const char *word)
{
	size_t length = strlen(key);

	snprintf(key + length, LAUNCHER_KEY_SIZE - length, "%s%s", length ? " " : "", word);
}

static void add_variables(char *key, const char *const *names, int most)
{
	for (int i = 0; i < most && names[i]; i++) {
		const char *value = getenv(names[i]);

		add_word(key, value && *value ? value : "-");
	}
}

static void add_arguments(char *key, const struct launcher *launcher, pid_t pid)
{
	char value[200];

	for (int i = 0; i < 2 && launcher->arguments[i]; i++) {
		process_argument(pid, launcher->arguments[i], value, sizeof value);
		if (*value)
			add_word(key, value);
	}
}

static void add_identity(char *key, const struct process_stat *process)
{
	char boot[64], text[64];

	process_boot_id(boot, sizeof boot);
	add_word(key, boot);
	snprintf(text, sizeof text, "%ld %llu", (long)process->pid,
		 (unsigned long long)process->start_ns);
	add_word(key, text);
}

/* process: the one that starts the ranks on this host; NULL: not visible. */
static void make_key(struct launcher_job *job, const struct launcher *launcher,
		     const struct process_stat *process)
{
	add_word(job->key, launcher->name);
	size_t length = strlen(job->key);
	add_variables(job->key, launcher->needed, 3);
	add_variables(job->key, launcher->more, 4);
	if (process)
		add_arguments(job->key, launcher, process->pid);
	if (strlen(job->key) == length && process)
		add_identity(job->key, process);
	if (strlen(job->key) == length)
		job->key[0] = '\0';
	job->ends_on_status = launcher->ends_on_status;
}

/* Walks up to the nearest launcher with a known name. *other is the nearest ancestor that is none
 * of the processes between a launcher and its ranks (pid 0: none). */
static const struct launcher *find_ancestor(struct process_stat *process,
					    struct process_stat *other)
{
	pid_t pid = getppid();

	other->pid = 0;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1 && process_stat_read(pid, process); i++) {
		for (int row = 0; row < LAUNCHER_COUNT; row++)
			if (starts_ranks(&launchers[row], process->name))
				return &launchers[row];
		if (!other->pid && !is_helper(process->name))
			*other = *process;
		pid = process->parent;
	}
	return NULL;
}

/* Every launcher leaves variables to what it starts. Without any the ancestors, which are three
 * system calls each, need not be looked at. */
static bool may_be_below(void)
{
	static const char *const begins[] = {"OMPI_", "PMI", "PRTE_", "SLURM_", "PALS_", "FLUX_"};

	for (char **variable = environ; *variable; variable++)
		for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
			if (strncmp(*variable, begins[i], strlen(begins[i])) == 0)
				return true;
	return false;
}

void launcher_find(struct launcher_job *job)
{
	struct process_stat process, other = {0};
	const struct launcher *launcher = may_be_below() ? find_ancestor(&process, &other) : NULL;

	*job = (struct launcher_job){
		.herald = launcher && launcher->signals_groups ? process.pid : 0,
		.is_direct = launcher && process.pid == getppid(),
	};
	if (launcher && has_variables(launcher, job)) {
		make_key(job, launcher, &process);
		job->start_ns = process.start_ns;
	} else {
		for (int row = 0; row < LAUNCHER_COUNT && !job->key[0]; row++)
			if (has_variables(&launchers[row], job))
				make_key(job, &launchers[row], other.pid ? &other : NULL);
	}
	if (job->ranks < 2)
		job->key[0] = '\0';
}

bool launcher_is_name(const char *process)
{
	for (int row = 0; row < LAUNCHER_COUNT; row++)
		if (starts_ranks(&launchers[row], process))
			return true;
	return is_helper(process);
}
