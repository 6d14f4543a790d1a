/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/programs/merge_parts.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
