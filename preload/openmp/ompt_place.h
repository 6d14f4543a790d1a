/* SPDX-License-Identifier: MIT */
/* The place in the program for a code address that OMPT reports. That address is not always in the
 * program: a call by one of libgomp's names reaches the runtime through our wrapper; a function's
 * last call may be compiled to a jump, and returns to the runtime's own code; and a taskloop is
 * begun, and its tasks are made, by the runtime. Context: own thread. */
#pragma once

#include "preload/openmp/omp_thread.h"

struct ompt_range {
	uint64_t start, bytes;
};

extern struct ompt_range ompt_runtime __attribute__((visibility("hidden")));
extern struct ompt_range ompt_own __attribute__((visibility("hidden")));
/* Place of the latest league of teams: the runtime reports it only at its begin. Atomic. */
extern uint64_t ompt_league __attribute__((visibility("hidden")));

/* caller: an address in the runtime. */
void ompt_place_start(uint64_t caller);

uint64_t ompt_place_slow(const struct omp_thread *omp, uint64_t code);

static inline bool ompt_is_in_runtime(const void *code)
{
	return (uint64_t)code - ompt_runtime.start < ompt_runtime.bytes;
}

static inline bool ompt_is_in_program(const void *code)
{
	uint64_t place = (uint64_t)code;

	return likely(place && place - ompt_runtime.start >= ompt_runtime.bytes &&
		      place - ompt_own.start >= ompt_own.bytes);
}

static inline uint64_t ompt_place(const struct omp_thread *omp, const void *code)
{
	return ompt_is_in_program(code) ? (uint64_t)code : ompt_place_slow(omp, (uint64_t)code);
}

/* The same for a task or a taskloop: the innermost place of the call stack that is in the program,
 * or else the place of its region. */
uint64_t ompt_task_place(struct omp_thread *omp, const void *code, const struct site *site);
