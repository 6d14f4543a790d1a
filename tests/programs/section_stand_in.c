/* SPDX-License-Identifier: MIT */
/* Stands in for the profiler where only the way to it is examined: a library that is preloaded, and
 * writes each call of ptrace.h as a line into the file that SECTION_CALLS names. */
#define LIBPTRACE_TYPES_ALONE
#include <ptrace.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const char *call, const char *name, const char *more)
{
	char line[400];
	const char *path = getenv("SECTION_CALLS");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	int length = snprintf(line, sizeof line, "%s %s%s%s\n", call, name ? name : "-",
			      *more ? " " : "", more);

	if (file < 0 || write(file, line, (size_t)length) != length)
		abort();
	close(file);
}

void libptrace_begin(const char *name)
{
	tell("begin", name, "");
}

void libptrace_end(const char *name)
{
	tell("end", name, "");
}

void libptrace_phase(const char *name)
{
	tell("phase", name, "");
}

#ifndef WITHOUT_MARK /* a release that lacks a call */
void libptrace_mark(const char *name, int64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, value);
	tell("mark", name, text);
}
#endif

void libptrace_name(const void *address, size_t bytes, const char *name)
{
	char text[32];

	snprintf(text, sizeof text, "%zu%s", bytes, address ? "" : " nowhere");
	tell("name", name, text);
}

/* A release that knows so many bytes of the structure (KNOWN_BYTES) fills in these. Each field is
 * its own number. */
int libptrace_times(struct ptrace_times *times)
{
	struct ptrace_times own = {0};
	const char *known = getenv("KNOWN_BYTES");
	size_t bytes = known ? (size_t)atoi(known) : sizeof own;
	char text[32];

	for (size_t i = 1; i < sizeof own / sizeof(uint64_t); i++)
		((uint64_t *)&own)[i] = i;
	snprintf(text, sizeof text, "%" PRIu64, times->bytes);
	tell("times", NULL, text);
	if (bytes > times->bytes)
		bytes = times->bytes;
	memcpy((char *)times + sizeof own.bytes, (char *)&own + sizeof own.bytes,
	       bytes - sizeof own.bytes);
	return 0;
}
