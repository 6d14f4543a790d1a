/* SPDX-License-Identifier: MIT */
/* The environment as it is, without libc's getenv, which others may stand in for. Context:
 * start-up, or where nothing else changes it. */
#pragma once

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* NULL: there is no such variable. */
static inline const char *environment_value(const char *name)
{
	size_t length = strlen(name);

	for (char *const *one = __environ; one && *one; one++)
		if (!strncmp(*one, name, length) && (*one)[length] == '=')
			return *one + length + 1;
	return NULL;
}
