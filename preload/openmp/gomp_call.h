/* SPDX-License-Identifier: MIT */
/* A call of libgomp in its wrapper. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct omp_thread;

struct gomp_call {
	bool is_seen;           /* it reaches a library that is measured */
	uint64_t caller;        /* return address of the wrapper */
	struct omp_thread *omp; /* the thread, if its wait or construct is measured; or NULL */
	uint64_t start_ns;      /* 0: not timed */
	bool has_turn;          /* of an ordered loop: it waits for nobody */
};
