/* SPDX-License-Identifier: MIT */
/* Places in the user's code that called into a library, with the CPU time of samples there: by
 * routine and line, from nodes of the path tree. Context: pure. Nanoseconds. */
#pragma once

#include <stddef.h>

struct finding;
struct path_node;
struct run;

struct finding_caller {
	size_t node; /* of the path tree */
	double cpu_ns;
};

struct finding_callers {
	struct finding_caller *rows;
	size_t count, capacity;
	double cpu_ns; /* of all */
};

void finding_callers_add(struct finding_callers *callers, const struct path_node *nodes,
			 size_t node, double cpu_ns);
/* The one with the most; NULL: there are none. */
const struct finding_caller *finding_callers_most(const struct finding_callers *callers);
/* "main (x.c:12)", of that one; released by the caller. There is one. */
char *finding_callers_place(const struct finding_callers *callers, const struct run *run);
/* Adds that one as a step. */
void finding_callers_tell(const struct finding_callers *callers, const struct run *run,
			  struct finding *finding);
void finding_callers_clear(struct finding_callers *callers);
