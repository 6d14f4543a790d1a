/* SPDX-License-Identifier: MIT */
#include "analyze/programs/launch_rank.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT 1000000

/* The first launcher that gives both numbers is believed. */
static const struct {
	const char *rank, *size, *job;
} launchers[] = {
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
	{"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
	{"PALS_RANKID", "PALS_SIZE", "PALS_APID"},
	{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID"},
};

static bool read_number(const char *name, size_t *number)
{
	const char *text = getenv(name);
	char *end;

	if (!text || !*text)
		return false;
	errno = 0;
	*number = strtoul(text, &end, 10);
	return !errno && !*end && *text != '-';
}

static void copy_job(struct launch_rank *launch, const char *text)
{
	size_t length = 0;

	for (; text && *text && length < sizeof launch->job - 1; text++)
		if (isalnum((unsigned char)*text))
			launch->job[length++] = *text;
	launch->job[length] = 0;
}

bool launch_rank_read(struct launch_rank *launch)
{
	*launch = (struct launch_rank){.size = 1};
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		size_t rank, size;

		if (!read_number(launchers[i].rank, &rank) ||
		    !read_number(launchers[i].size, &size))
			continue;
		launch->rank = rank;
		launch->size = size;
		copy_job(launch, getenv(launchers[i].job));
		return rank < size && size <= SIZE_LIMIT;
	}
	return true;
}
