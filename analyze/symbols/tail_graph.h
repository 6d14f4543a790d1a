/* SPDX-License-Identifier: MIT */
/* Which routines must have been on the way from one routine to another by tail calls alone.
 *
 * A way is told only if there is no other: every routine on it that can reach the target at all
 * goes on to one routine only. A jump to an unknown place may lead to the target, a cycle may have
 * been run through any number of times: both leave the way open. Context: pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Where a jump through a pointer goes, or one to a routine that is not known. */
#define TAIL_ANYWHERE SIZE_MAX

/* The routines, by number, that a routine jumps to. One that jumps to no other has none. */
struct tail_routine {
	const size_t *jumps;
	size_t count;
};

/* Fills way with the routines from `from` on, without the target, and returns how many they are; 0:
 * there is no way, or more than one. way has room for `count` numbers. */
size_t tail_graph_way(const struct tail_routine *routines, size_t count, size_t from, size_t target,
		      size_t *way);
