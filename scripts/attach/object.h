/* SPDX-License-Identifier: MIT */
/* A shared object that a process has loaded, its file, and where its symbols lie. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct object {
	char path[PATH_MAX];           /* as the process names it */
	bool is_deleted;               /* another file, or none, has its name now */
	uint64_t bias;                 /* of its addresses */
	uint64_t text_start, text_end; /* its first executable segment */
};

/* The first object of the process whose file name begins with `start` and has `end` in it. False:
 * there is none. */
bool object_find(pid_t process, const char *start, const char *end, struct object *object);

/* Address of a dynamic symbol in the process; 0: it has none of that name. */
uint64_t object_symbol(pid_t process, const struct object *object, const char *name);

/* Its value in the file: of a thread-local variable the offset from where those of the object
 * begin. */
uint64_t object_value(pid_t process, const struct object *object, const char *name);
