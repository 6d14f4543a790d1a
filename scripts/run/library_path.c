/* SPDX-License-Identifier: MIT */
#include "library_path.h"

#include "message.h"
#include "own_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LIBRARY_FROM_BIN, its directory as seen from that of the program, comes from make. */
#define LIBRARY_NAME "libptrace.so"

void library_path_find(char *path, size_t size)
{
	const char *given = getenv("PTRACE_LIBRARY");
	char *absolute;

	if (given && *given) {
		absolute = realpath(given, NULL);
	} else {
		own_path_beside(path, size, LIBRARY_FROM_BIN "/" LIBRARY_NAME);
		given = path;
		absolute = realpath(given, NULL);
	}
	if (absolute && strlen(absolute) >= size)
		errno = ENAMETOOLONG;
	if (!absolute || strlen(absolute) >= size || access(absolute, R_OK) < 0)
		message_fail(
			STATUS_CANNOT_PROFILE,
			"cannot read the profiling library %s: %s; PTRACE_LIBRARY=FILE names another",
			given, strerror(errno));
	strcpy(path, absolute);
	free(absolute);
}
