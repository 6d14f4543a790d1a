/* SPDX-License-Identifier: MIT */
#include "own_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void own_path_beside(char *path, size_t size, const char *relative)
{
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

	*path = '\0';
	if (length <= 0)
		return;
	own[length] = '\0';
	*strrchr(own, '/') = '\0'; /* an absolute path has a slash */
	if (snprintf(path, size, "%s/%s", own, relative) >= (int)size)
		*path = '\0';
}
