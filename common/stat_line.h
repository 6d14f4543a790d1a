/* SPDX-License-Identifier: MIT */
/* The line of /proc/PID/stat, and of a thread's. Any context. */
#pragma once

#include <stddef.h>
#include <string.h>

enum { STAT_STATE = 3, STAT_PARENT = 4, STAT_MINOR_FAULTS = 10, STAT_SYSTEM = 15, STAT_BORN = 22 };

/* The blank in front of a field; fields are counted from 1, as in proc(5). It is searched behind
 * the name, the second field, which may contain anything. NULL: there is no such field. */
static inline const char *stat_line_field(const char *line, int field)
{
	const char *at = strrchr(line, ')');

	for (int behind = 2; at && behind < field; behind++)
		at = strchr(at + 1, ' ');
	return at;
}

/* The letter of the state; 0: the line has none. */
static inline char stat_line_state(const char *line)
{
	const char *at = stat_line_field(line, STAT_STATE);

	return at ? at[1] : '\0';
}
