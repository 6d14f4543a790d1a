/* SPDX-License-Identifier: MIT */
/* CPU time at atomic instructions that several threads spent at once, by samples. Alone they are
 * cheap, and a thread that is alone with them shares nothing. Context: pure. Nanoseconds. */
#pragma once

#include "analyze/findings/where/finding_callers.h"

#include <stdbool.h>

struct finding_loss;
struct path_node;
struct run;

/* CPU time in which several threads of a process were on processors, or would have been if others
 * had left them one: of the time of a thread that was alone, the share in which another one was
 * ready. */
struct finding_company {
	double ns;
	double ready_share;
};

/* A thread that has most of some node's. */
struct finding_atomic_thread {
	size_t thread, process;
	double cpu_ns;
};

struct finding_atomic {
	double ns;              /* in company */
	double cpu_ns, samples; /* whether or not */
	bool is_shared;         /* by threads of one process */
	struct finding_atomic_thread *threads;
	size_t thread_count, thread_capacity;
	struct finding_callers users;
};

struct finding_company finding_company_of(const struct run *run);

/* What a node has of it is done for `user`, a node of the program's own code. */
void finding_atomic_add(struct finding_atomic *atomic, const struct run *run,
			const struct finding_company *company, const struct path_node *node,
			size_t user);
void finding_atomic_clear(struct finding_atomic *atomic);
/* Have several threads a part of it, and are there samples enough to tell? */
bool finding_atomic_is_shared(const struct finding_atomic *atomic);
/* How much of the time in company a loss is, in percent, or what is at stake if that is more. The
 * first is the same however many processors other programs use; the second becomes the stake of the
 * finding. 0: threads hardly ever had company. */
double finding_company_severity(const struct run *run, const struct finding_company *company,
				struct finding *finding, const struct finding_loss *loss);
/* The innermost node of the program's own code at the end of a path; 0: none. */
size_t finding_atomic_user(const struct run *run, size_t node);
