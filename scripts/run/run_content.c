/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run_content.h"

#include "job_file.h"
#include "run_claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), most = strlen(end);

	return length > most && strcmp(name + length - most, end) == 0;
}

static bool is_part_of_run(const char *name)
{
	return job_file_is_name(name) || strncmp(name, "run.json", 8) == 0 ||
	       strcmp(name, "processors.json") == 0 || strcmp(name, "symbols") == 0 ||
	       ends_in(name, ".profile") || ends_in(name, ".tables");
}

/* Reads the beginning of run.json: "format" is its first member, as run_directory_describe writes
 * it. */
static enum run_content find_description(int directory)
{
	char text[128] = "";
	int file = openat(directory, "run.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (file < 0)
		return errno == ENOENT   ? RUN_CONTENT_NONE
		       : errno == EMFILE ? RUN_CONTENT_UNKNOWN
					 : RUN_CONTENT_FOREIGN;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 && strstr(text, "\"format\"") && strstr(text, "\"ptrace-run\"")
		       ? RUN_CONTENT_RUN
		       : RUN_CONTENT_FOREIGN;
}

static enum run_content content_of(const char *name)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || run_claim_is_name(name))
		return RUN_CONTENT_NONE;
	return is_part_of_run(name) ? RUN_CONTENT_RUN : RUN_CONTENT_FOREIGN;
}

static enum run_content list_content(int directory)
{
	enum run_content worst = RUN_CONTENT_NONE;
	const struct dirent *entry;
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);

	if (!listing)
		return RUN_CONTENT_UNKNOWN;
	while (worst != RUN_CONTENT_FOREIGN && (entry = readdir(listing)))
		if (content_of(entry->d_name) > worst)
			worst = content_of(entry->d_name);
	closedir(listing);
	return worst;
}

enum run_content run_content_find(int directory)
{
	enum run_content content = find_description(directory);

	return content == RUN_CONTENT_NONE ? list_content(directory) : content;
}
