/* SPDX-License-Identifier: MIT */
/* The call stack of a stopped thread, frame by frame, by libdw.
 *
 * Everything that takes long (files, tables) is read when the view is opened, before a thread is
 * stopped. Objects that the process loads later are not in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct stack_view;

struct frame {
	uint64_t pc;
	const char *object;  /* file name of the object; NULL: in none */
	const char *routine; /* symbol; NULL: none is known */
	bool is_interrupted; /* a signal handler was called here */
};

/* NULL: the process is gone, or its memory cannot be read. */
struct stack_view *stack_view_open(pid_t process);
void stack_view_close(struct stack_view *view);

/* Innermost first, at most `limit` frames. Returns their number, 0 if the outermost one was not
 * found. */
int stack_view_read(struct stack_view *view, pid_t thread, struct frame *frames, int limit);
