/* SPDX-License-Identifier: MIT */
/* Lives of threads, of one process or of many that came one after the other: how many there were at
 * once. Who ends at an instant makes room for one that begins then. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct life {
	double begin_ns, end_ns;
	double joining_ns; /* of it, waiting for other threads or processes to end */
	uint64_t threads;  /* that had it: of many nothing is known but their process */
};

struct lives {
	struct life *rows;
	size_t count, capacity;
};

/* A life of no length is not kept. */
void lives_add(struct lives *lives, const struct life *life);
/* Who waited for others to end for half of the time in which there were others, or longer, only
 * joins them: a main thread, a shell. */
void lives_drop_joining(struct lives *lives);
/* The most alive at once for at least so long; 1 at least. */
double lives_most(const struct lives *lives, double least_ns);
/* Elapsed time with two or more alive. */
double lives_shared_ns(const struct lives *lives);
void lives_clear(struct lives *lives);
