/* SPDX-License-Identifier: MIT */
/* A call of libgomp on its way through a wrapper. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct omp_thread;

struct gomp_call {
	bool is_seen;           /* it goes to a library that is measured */
	uint64_t caller;        /* return address of the wrapper */
	struct omp_thread *omp; /* whose wait or construct it is; NULL: not measured */
	uint64_t start_ns;      /* 0: not timed */
};
