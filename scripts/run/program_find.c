/* SPDX-License-Identifier: MIT */
#include "program_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0, or the errno that execve would return before it reads the file. */
static int judge_file(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? errno : 0;
}

static int take_path(struct program *program, const char *directory, size_t length,
		     const char *name)
{
	const char *slash = length ? "/" : ""; /* an empty element is the working directory */
	int size = snprintf(program->path, sizeof program->path, "%.*s%s%s", (int)length, directory,
			    slash, name);

	return size < (int)sizeof program->path ? judge_file(program->path) : ENAMETOOLONG;
}

int program_find(struct program *program, const char *name)
{
	const char *element = getenv("PATH");
	int worst = ENOENT;

	*program = (struct program){.name = name};
	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return take_path(program, "", 0, name);
	if (!element)
		element = "/bin:/usr/bin"; /* confstr(_CS_PATH), as execvp does */
	for (;; element++) {
		size_t length = strcspn(element, ":");
		int error = take_path(program, element, length, name);

		if (!error)
			return 0;
		if (error == EACCES)
			worst = EACCES; /* found but not executable: returned only if nothing better
					   is found */
		element += length;
		if (!*element)
			return worst;
	}
}
