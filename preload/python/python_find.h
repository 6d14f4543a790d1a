/* SPDX-License-Identifier: MIT */
/* The interpreter of this process, if it has one that can be read: CPython 3.9 to 3.13.
 *
 * It is looked for by its exported names, which the loader knows if the program is the interpreter
 * or was linked with it. An interpreter that a program opens by itself (dlopen) is found if that
 * comes before the profile is opened. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/python/python_layout.h"

struct python_runtime {
	const struct python_layout *layout; /* NULL: there is no interpreter that can be read */
	/* PyGILState_GetThisThreadState: the calling thread's state, or NULL. It reads a key of the
	 * thread (pthread_getspecific), and nothing else: so it may be called in a handler. */
	void *(*thread_state)(void);
	uint64_t code_type, text_type, bytes_type; /* types of objects */
	uint64_t loop;                             /* first instruction of the evaluation loop */
};

extern struct python_runtime python_runtime;

/* One branch, which other processes predict. */
static inline bool python_is_there(void)
{
	return unlikely(python_runtime.layout != NULL);
}

/* Start-up: looks for it. Takes the loader's lock. */
void python_find(void);

/* After a profile was opened: a note if there is an interpreter that cannot be read. */
void python_note(void);
