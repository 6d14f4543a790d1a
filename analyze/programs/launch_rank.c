/* SPDX-License-Identifier: MIT */
#include "analyze/programs/launch_rank.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT 1000000

/* The first launcher whose variables give both numbers, and that has what it requires, is used. */
static const struct launcher {
	const char *rank, *ranks[2], *needed[2];
	unsigned long special;
	const char *more[3];
} launchers[] = {
#define MERGE(variable) variable
#define LAUNCHER(name, turn, rank, ranks, needed, special, more, ...)                              \
	[turn] = {rank, ranks, needed, special, more},
#include "preload/process/launchers.def"
};

static bool read_number(const char *name, size_t *number)
{
	const char *text = name ? getenv(name) : NULL;
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

/* A batch script of Slurm has a rank and a size, but no step: other ranks do not exist. */
static bool is_job(const struct launcher *launcher)
{
	for (int i = 0; i < 2 && launcher->needed[i]; i++)
		if (!getenv(launcher->needed[i]))
			return false;
	return !launcher->special ||
	       strtoul(getenv(launcher->needed[1]), NULL, 10) < launcher->special;
}

static bool read_launcher(const struct launcher *launcher, struct launch_rank *launch)
{
	const char *job = launcher->needed[0] ? launcher->needed[0] : launcher->more[0];

	if (!is_job(launcher) || !read_number(launcher->rank, &launch->rank) ||
	    (!read_number(launcher->ranks[0], &launch->size) &&
	     !read_number(launcher->ranks[1], &launch->size)))
		return false;
	copy_job(launch, job ? getenv(job) : NULL);
	return true;
}

bool launch_rank_read(struct launch_rank *launch)
{
	*launch = (struct launch_rank){.size = 1};
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		struct launch_rank found;

		if (!read_launcher(&launchers[i], &found))
			continue;
		*launch = found;
		return found.rank < found.size && found.size <= SIZE_LIMIT;
	}
	return true;
}
