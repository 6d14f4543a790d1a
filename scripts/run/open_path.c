/* SPDX-License-Identifier: MIT */
#include "open_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without /proc, or where it says no path ("(unreachable)", as in an old root). */
static bool find_by_name(const char *name, char *path, size_t size)
{
	char *absolute = realpath(name, NULL);
	bool fits = absolute && strlen(absolute) < size;

	if (fits)
		strcpy(path, absolute);
	else if (absolute)
		errno = ENAMETOOLONG;
	free(absolute);
	return fits;
}

bool open_path_read(int file, const char *name, char *path, size_t size)
{
	char link[40], found[PATH_MAX];

	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t length = readlink(link, found, sizeof found - 1);
	if (length <= 0 || (size_t)length >= size || found[0] != '/')
		return find_by_name(name, path, size);
	found[length] = '\0';
	strcpy(path, found);
	return true;
}
