/* SPDX-License-Identifier: MIT */
/* The names that a user may have meant: those with the least edit distance from what was written.
 *
 * The distance counts insertions, deletions, replacements and exchanges of neighbours (optimal
 * string alignment). Upper and lower case are the same, and so are '-' and '_'. Names that differ
 * in more than two fifths of their characters are not near. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_MAX = 3, NEAREST_NAME_SIZE = 128 };

struct nearest_names {
	const char *wanted;
	int count;
	struct nearest_name {
		char name[NEAREST_NAME_SIZE];
		int distance;
	} best[NEAREST_MAX]; /* in order; of equal distance, those that were offered first */
};

int nearest_distance(const char *a, const char *b);

void nearest_begin(struct nearest_names *names, const char *wanted);
void nearest_offer(struct nearest_names *names, const char *name);

/* "a, b or c"; false: no name is near. */
bool nearest_text(const struct nearest_names *names, char *text, size_t size);
