/* SPDX-License-Identifier: MIT */
/* Threads that may run on the same few processors only, so that they take turns there: bound by the
 * program, or by who started it. Without idle threads. Context: pure. Nanoseconds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;
struct run;

struct finding_bound {
	const struct process *process;
	uint64_t processors, first; /* how many, and the lowest number + 1 */
	bool is_own;                /* the program bound them, and not who started it */
	const char *role;           /* of one of them; NULL: unknown */
	size_t threads;
	double wanting; /* on average, while the process lived: without waits for others to end */
	double cpu_ns;
	double ready_ns;   /* as far as they explain it themselves */
	double at_once_ns; /* of it, in which they could have run at once */
};

/* The group that could have run at once for longest; `process` is NULL if there is none. is_own:
 * which groups. */
struct finding_bound finding_bound_most(const struct run *run, bool is_own);
/* Ready time of all threads that the program bound, as far as these explain it themselves: no
 * other program is to blame for it, nor the number of threads. */
double finding_bound_ready_ns(const struct run *run);
