/* SPDX-License-Identifier: MIT */
/* The system calls in which a thread waits and may be stopped without harm: waiting_calls.def. */
#pragma once

#include <stdbool.h>

struct waiting_call {
	long number;
	const char *name;
	bool is_restarted; /* by the kernel, after a stop without a signal */
	bool has_rest;     /* a time-out goes on where it was */
};

/* NULL: in that call no thread is stopped for long. */
const struct waiting_call *waiting_call_find(long number);
