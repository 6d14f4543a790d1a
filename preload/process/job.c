/* SPDX-License-Identifier: MIT */
#include "preload/process/job.h"

#include "preload/base/small_file.h"
#include "preload/base/text.h"

#include <stdlib.h>

enum {
	ANCESTORS_MOST = 16,
	FIRST_NUMBER = 100000, /* runs that are counted by hand have smaller ones */
	NUMBERS = 999999999 - FIRST_NUMBER,
};

/* Lists end at their first NULL. */
static const struct {
	const char *ranks[2]; /* the first that is set; below 2 it is no job */
	const char *needed[2];
	const char *more[3];
} launchers[] = {
	/* the last is random for each job */
	{{"OMPI_COMM_WORLD_SIZE"},
	 {"PMIX_NAMESPACE"},
	 {"OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_precondition_transports"}},
	{{"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
	 {"SLURM_JOB_ID", "SLURM_STEP_ID"},
	 {"SLURM_CLUSTER_NAME", "SLURM_RESTART_COUNT"}},
	{{"PMI_SIZE"}, {"PALS_APID"}, {NULL}},
	{{"FLUX_JOB_SIZE"}, {"FLUX_JOB_ID"}, {NULL}},
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* Steps of Slurm that hold no tasks (batch script, interactive shell) start run after run. */
static const uint64_t special_step = 0xfffffff0;

/* FNV-1a, 64 bit; 0 as the start stands for nothing so far. */
static uint64_t add(uint64_t hash, const char *text, size_t length)
{
	hash = hash ? hash : UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash * UINT64_C(0x100000001b3); /* the end of a word counts */
}

static uint64_t number_of(const char *variable)
{
	const char *text = variable ? getenv(variable) : NULL;

	return text ? text_read_number(&text) : 0;
}

static uint64_t by_environment(void)
{
	for (int i = 0; i < LAUNCHERS; i++) {
		const char *const *names = launchers[i].needed;
		uint64_t hash = 0;
		uint64_t ranks = number_of(launchers[i].ranks[0]);
		if (!ranks)
			ranks = number_of(launchers[i].ranks[1]);
		if (ranks < 2 || !getenv(names[0]) || (names[1] && !getenv(names[1])))
			continue;
		for (int j = 0; j < 2 && names[j]; j++)
			hash = add(hash, getenv(names[j]), strlen(getenv(names[j])));
		for (int j = 0; j < 3 && launchers[i].more[j]; j++) {
			const char *value = getenv(launchers[i].more[j]);
			hash = add(hash, value ? value : "-", value ? strlen(value) : 1);
		}
		return number_of("SLURM_STEP_ID") < special_step ? hash : 0;
	}
	return 0;
}

/* /proc/PID/FILE; its length, 0 if it cannot be read. */
static size_t read_process(uint64_t pid, const char *file, char *buffer, size_t capacity)
{
	char name[64];
	struct text path = TEXT(name);

	text_add(&path, "/proc/");
	text_add_number(&path, pid);
	text_add(&path, file);
	long length = small_file_read(name, buffer, capacity);
	return length > 0 ? (size_t)length : 0;
}

/* What follows an option among arguments that end with 0 each; NULL: it is not there. */
static const char *argument(const char *arguments, size_t length, const char *option)
{
	const char *end = arguments + length;

	for (const char *at = arguments; at < end; at += strlen(at) + 1)
		if (!strcmp(at, option) && at + strlen(at) + 1 < end)
			return at + strlen(at) + 1;
	return NULL;
}

static uint64_t parent_of(uint64_t pid)
{
	char stat[512];

	if (!read_process(pid, "/stat", stat, sizeof stat))
		return 0;
	const char *at = text_stat_field(stat, STAT_PARENT);

	return at ? text_read_number(&at) : 0;
}

/* hydra's jobs have no name; the proxies of all hosts know where their mpiexec listens. */
static uint64_t by_proxy(void)
{
	char arguments[1024]; /* those that are looked for come first */
	uint64_t pid = (uint64_t)getppid();

	if (number_of("PMI_SIZE") < 2)
		return 0;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++, pid = parent_of(pid)) {
		size_t length = read_process(pid, "/cmdline", arguments, sizeof arguments);
		const char *port = argument(arguments, length, "--control-port");
		const char *group = argument(arguments, length, "--pgid");
		if (port)
			return add(add(0, port, strlen(port)), group ? group : "-",
				   group ? strlen(group) : 1);
	}
	return 0;
}

uint64_t job_number(void)
{
	uint64_t hash = by_environment();

	if (!hash)
		hash = by_proxy();
	return hash ? FIRST_NUMBER + hash % NUMBERS : 0;
}
