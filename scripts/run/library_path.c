/* SPDX-License-Identifier: MIT */
#include "library_path.h"

#include "common/message.h"
#include "open_path.h"
#include "own_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LIBRARY_FROM_BIN, its directory as seen from that of the program, comes from make. */
#define LIBRARY_NAME "libptrace.so"

void library_path_find(char *path, size_t size)
{
	const char *given = getenv("PTRACE_LIBRARY");
	char beside[PATH_MAX];

	if (!given || !*given) {
		own_process_beside(beside, sizeof beside, LIBRARY_FROM_BIN "/" LIBRARY_NAME);
		given = beside;
	}
	int file = open(given, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0 || !open_path_read(file, given, path, size))
		message_fail(
			STATUS_CANNOT_PROFILE,
			"cannot read the profiling library %s: %s; PTRACE_LIBRARY=FILE names another",
			given, strerror(errno));
	close(file);
}
