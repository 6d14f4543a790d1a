/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* First written under a name of its own: link(2) lets only one writer win. */
int run_file_write_text(int directory, const char *name, const char *text)
{
	char own[100], host[40] = "";
	size_t length = strlen(text);

	gethostname(host, sizeof host - 1);
	snprintf(own, sizeof own, RUN_FILE_SCRATCH "%s.%ld", host, (long)getpid());
	int file =
		openat(directory, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file < 0)
		return errno;
	errno = ENOSPC; /* which a short write means */
	int error = write(file, text, length) == (ssize_t)length ? 0 : errno;
	if (close(file) < 0 && !error)
		error = errno;
	if (!error && linkat(directory, own, directory, name, 0) < 0 && errno != EEXIST)
		error = errno;
	unlinkat(directory, own, 0);
	return error;
}

int run_file_write_once(int directory, const char *name, struct json_object *object)
{
	const char *json = json_object_to_json_string_ext(
		object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *text;

	if (asprintf(&text, "%s\n", json) < 0)
		return ENOMEM;
	int error = run_file_write_text(directory, name, text);
	free(text);
	return error;
}
