/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/programs/merge_parts.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- which of how many processes this is */

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

/* ---- parts */

#define POLL_NS 5000000

static void make_directory(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		die("cannot make %s: %s", path, strerror(errno));
}

char *merge_parts_directory(const char *output, const struct launch_rank *launch)
{
	char *directory = memory_print("%s/parts-%zu%s", output, launch->size, launch->job);

	make_directory(output);
	make_directory(directory);
	return directory;
}

char *merge_parts_path(const char *directory, size_t rank)
{
	return memory_print("%s/part-%06zu.tables", directory, rank);
}

static bool is_there(const char *directory, size_t rank)
{
	char *path = merge_parts_path(directory, rank);
	bool is_file = !access(path, R_OK);

	free(path);
	return is_file;
}

/* "3, 7-12" */
static char *missing_ranks(const char *directory, size_t size)
{
	char *text = memory_copy_text("");

	for (size_t first = 1; first < size; first++) {
		size_t last = first;

		if (is_there(directory, first))
			continue;
		while (last + 1 < size && !is_there(directory, last + 1))
			last++;
		char *range = last > first ? memory_print("%zu-%zu", first, last)
					   : memory_print("%zu", first);
		char *longer = memory_print("%s%s%s", text, *text ? ", " : "", range);

		free(range);
		free(text);
		text = longer;
		first = last;
	}
	return text;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Processes of our own (-j) that failed will write no part; those of a launcher are not our
 * children. */
static bool has_failed_child(void)
{
	int status;

	while (waitpid(-1, &status, WNOHANG) > 0)
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			return true;
	return false;
}

void merge_parts_wait(const char *directory, size_t size, unsigned seconds)
{
	double last_progress = now();

	for (size_t next = 1; next < size;) {
		struct timespec pause = {.tv_nsec = POLL_NS};

		progress_step("waiting for parts", next, size);

		if (is_there(directory, next)) {
			next++;
			last_progress = now();
			continue;
		}
		bool has_failed = has_failed_child();

		if (has_failed || now() - last_progress > seconds) {
			char *missing = missing_ranks(directory, size);

			merge_parts_remove(directory, size);
			die(has_failed
				    ? "ranks %s of the merge failed and left no part"
				    : "no part came from ranks %s of the merge for %u s: are they "
				      "running, and do they see the same directory?",
			    missing, seconds);
		}
		nanosleep(&pause, NULL);
	}
}

void merge_parts_remove(const char *directory, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char *path = merge_parts_path(directory, i);

		unlink(path);
		free(path);
	}
	rmdir(directory);
}
