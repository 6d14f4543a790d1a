/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_save.h"

#include "analyze/base/memory.h"
#include "common/real_clock.h"
#include "preload/file/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAVED_MOST = 10000 };

/* ---- one file */

struct bytes {
	unsigned char *data;
	size_t size, capacity;
};

static int read_all(const char *path, struct bytes *bytes)
{
	FILE *file = fopen(path, "re");
	int error = 0;

	if (!file)
		return errno;
	do {
		bytes->data = memory_grow(bytes->data, bytes->size, &bytes->capacity, 1);
		bytes->size +=
			fread(bytes->data + bytes->size, 1, bytes->capacity - bytes->size, file);
	} while (!feof(file) && !ferror(file));
	if (ferror(file))
		error = errno ? errno : EIO;
	fclose(file);
	return error;
}

static int write_all(const char *path, const struct bytes *bytes)
{
	int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
	int error = 0;

	if (!file)
		return errno;
	if (fwrite(bytes->data, 1, bytes->size, file) != bytes->size)
		error = errno;
	if (fclose(file) && !error)
		error = errno;
	return error;
}

/* Of a process that runs: what is copied ends now. */
static void end_profile(struct bytes *bytes)
{
	struct format_header *header = (struct format_header *)bytes->data;

	if (bytes->size < sizeof *header || header->state != FORMAT_STATE_RUNNING)
		return;
	if (header->used_bytes > bytes->size) /* of a file that was growing (format.h) */
		header->used_bytes = bytes->size;
	header->end_ns = real_clock_ns(CLOCK_MONOTONIC);
	header->state = FORMAT_STATE_SAVED;
}

static int copy(const char *from, const char *to, bool is_alive)
{
	struct bytes bytes = {0};
	int error = read_all(from, &bytes);

	if (!error && is_alive)
		end_profile(&bytes);
	if (!error)
		error = write_all(to, &bytes);
	free(bytes.data);
	return error;
}

/* ---- the run */

static char *path_in(const char *directory, const char *path)
{
	return memory_print("%s/%s", directory, basename(path));
}

/* Where the run's description lies, if it has one. */
static char *description_of(const struct run_files *files)
{
	char *path = memory_print("%s/run.json", files->directory);

	if (!access(path, F_OK))
		return path;
	free(path);
	return NULL;
}

static int save_description(const struct run_files *files, const char *directory)
{
	char *from = description_of(files), *to = memory_print("%s/run.json", directory);
	int error = from ? copy(from, to, false) : 0;

	free(from);
	free(to);
	return error;
}

static int save_profile(const struct run_process *process, const char *directory)
{
	char *to = path_in(directory, process->path);
	int error = copy(process->path, to, process->is_alive);

	free(to);
	return error;
}

static int save_all(const struct run_files *files, const char *directory)
{
	int error = save_description(files, directory);

	for (size_t i = 0; i < files->process_count && !error; i++)
		error = save_profile(&files->processes[i], directory);
	return error;
}

static void remove_all(const struct run_files *files, const char *directory)
{
	for (size_t i = 0; i <= files->process_count; i++) {
		char *path = path_in(directory, i < files->process_count ? files->processes[i].path
									 : "run.json");

		unlink(path);
		free(path);
	}
	rmdir(directory);
}

/* "app.ptrace.1" of "/srv/app.ptrace.1/"; of a profile alone, its name. */
static char *name_of(const struct run_files *files)
{
	char *whole = realpath(files->directory, NULL);
	char *name = memory_copy_text(basename(whole ? whole : files->directory));

	free(whole);
	return name;
}

/* NULL: errno says why. */
static char *make_directory(const struct run_files *files)
{
	char *base = name_of(files), *name = NULL;

	for (int i = 1; i <= SAVED_MOST && !name; i++) {
		name = memory_print("%s.saved.%d", base, i);
		if (!mkdir(name, 0700))
			break;
		free(name);
		name = NULL;
		if (errno != EEXIST)
			break;
	}
	free(base);
	return name;
}

char *live_save_run(const struct run_files *files, char **problem)
{
	char *directory = make_directory(files);
	int error = directory ? save_all(files, directory) : errno;

	if (!error)
		return directory;
	*problem = memory_print("the run cannot be saved in the current directory: %s",
				strerror(error));
	if (directory)
		remove_all(files, directory);
	free(directory);
	return NULL;
}
