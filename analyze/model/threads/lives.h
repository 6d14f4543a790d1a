/* SPDX-License-Identifier: MIT */
/* Lifetimes of threads, of one process or of many that followed one another, and how many
 * overlapped. A life that ends at an instant does not overlap one that begins then. Context:
 * pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct life {
	double begin_ns, end_ns;
	double joining_ns; /* part of it spent waiting for other threads or processes to end */
	uint64_t threads; /* threads with this life: of many only the life of their process is known
			   */
	double ready_ns; /* part of it spent waiting for a processor */
};

struct lives {
	struct life *rows;
	size_t count, capacity;
};

/* A life of length 0 is not kept. */
void lives_add(struct lives *lives, const struct life *life);
/* Removes threads that only join others, such as a main thread or a shell: those that waited for
 * others to end for at least half of the time in which there were others and they did not wait for
 * a processor: beside other programs one may be on its way to join for long. */
void lives_drop_joining(struct lives *lives);
/* The largest number alive at once for at least this long in total; at least 1. */
double lives_most(const struct lives *lives, double least_ns);
/* Elapsed time with two or more threads alive. */
double lives_shared_ns(const struct lives *lives);
void lives_clear(struct lives *lives);
