/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run_file.h"

#include "own_process.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_ROUNDS = 100, WAIT_NS = 10000000 };

/* Of the writer that was first, between its two steps. */
static void wait_for_text(int directory, const char *name)
{
	const struct timespec pause = {.tv_nsec = WAIT_NS};
	struct stat status;

	for (int i = 0; i < WAIT_ROUNDS && fstatat(directory, name, &status, 0) == 0; i++) {
		if (status.st_size > 0)
			return;
		nanosleep(&pause, NULL);
	}
}

/* Some file systems in user space have neither of the calls that look and name in one step. An
 * empty file decides here, and is replaced. */
static int name_in_two_steps(int directory, const char *own, const char *name)
{
	int file =
		openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int error = errno;

	if (file >= 0)
		close(file);
	if (file >= 0 && renameat(directory, own, directory, name) == 0)
		return 0;
	if (file >= 0) {
		error = errno;
		unlinkat(directory, name, 0);
	} else if (error == EEXIST) {
		wait_for_text(directory, name);
	}
	return error;
}

static bool is_without_call(int error)
{
	return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
}

int run_file_give_name(int directory, const char *own, const char *name)
{
	if (renameat2(directory, own, directory, name, RENAME_NOREPLACE) == 0)
		return 0;
	int error = errno;
	if (is_without_call(error)) /* as NFS, which has links */
		error = linkat(directory, own, directory, name, 0) == 0 ? 0 : errno;
	if (is_without_call(error))
		error = name_in_two_steps(directory, own, name);
	unlinkat(directory, own, 0);
	return error;
}

/* Of this process alone. */
static const char *scratch_name(void)
{
	static char own[100];

	if (!*own)
		snprintf(own, sizeof own, RUN_FILE_SCRATCH "%.39s.%ld", own_process_host(),
			 (long)own_process_number());
	return own;
}

/* First written under a name of its own: of several writers one wins. */
int run_file_write_new(int directory, const char *name, const char *text)
{
	const char *own = scratch_name();
	size_t length = strlen(text);
	int file =
		openat(directory, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0)
		return errno;
	errno = ENOSPC; /* which a short write means */
	int error = write(file, text, length) == (ssize_t)length ? 0 : errno;
	if (close(file) < 0 && !error)
		error = errno;
	if (error)
		unlinkat(directory, own, 0);
	else
		error = run_file_give_name(directory, own, name);
	return error;
}

int run_file_write_once(int directory, const char *name, struct json_object *object)
{
	const char *json = json_object_to_json_string_ext(
		object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *text;

	if (asprintf(&text, "%s\n", json) < 0)
		return ENOMEM;
	int error = run_file_write_new(directory, name, text);
	free(text);
	return error == EEXIST ? 0 : error;
}
