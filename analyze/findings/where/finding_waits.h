/* SPDX-License-Identifier: MIT */
/* Waits for objects, as rules on them see them: how long in total, for which object most, what they
 * cost. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>
#include <stdint.h>

struct run;

struct sync_row;

/* All rows with these causes together, without the waits of idle threads; the worst is of the
 * object that was waited for longest, and of its rows the one with the longest wait. */
struct finding_waiting {
	const struct sync_row *worst;
	double worst_ns; /* by all operations on its object */
	double wait_ns, idle_ns;
	uint64_t waits;
};

/* Input and output that a thread needs to go on. Waits for events and for connections are waits for
 * work: nobody is accused of them. */
#define FINDING_IO                                                                                 \
	(FINDING_CAUSE(READ) | FINDING_CAUSE(WRITE) | FINDING_CAUSE(DISK) |                        \
	 FINDING_CAUSE(FILE_LOCK) | FINDING_CAUSE(CONNECT))
#define FINDING_ALL_IO ((unsigned)CAUSES_OF_IO)

/* causes: 1 << enum cause, or'ed. */
bool finding_is_wait_for(const struct run *run, const struct sync_row *row, unsigned causes);
struct finding_waiting finding_waiting_for(const struct run *run, unsigned causes);
/* The same, and adds it to the finding: evidence, threads, places, objects. */
struct finding_waiting finding_judge_waits(const struct run *run, struct finding *finding,
					   unsigned causes, const char *verb,
					   const char *blame_verb);
/* Thread time that the waits took from the run. */
double finding_lost_by_waits(const struct run *run, struct finding *finding, unsigned causes,
			     const struct finding_waiting *sum);
/* Part of the row's waits that a time-out ended: nobody woke the thread. */
double finding_timed_out_ns(const struct run *run, const struct sync_row *row);
/* The same of all waits with these causes. */
double finding_all_timed_out_ns(const struct run *run, unsigned causes);
double finding_stake_of_waits(const struct run *run, struct finding *finding, unsigned causes,
			      double lost_ns);

/* Adds how much of the waits was ready time, if it is worth telling. */
void finding_tell_ready(struct finding *finding, double ready_ns, double wait_ns);

/* Appends "; clause" to the evidence; takes ownership of the clause. */
void finding_add_evidence(struct finding *finding, char *clause);

/* "1.2 s of waiting for queue_lock, mostly in f (x.c:1); held by g (x.c:2) (90 %); the most between
 * two: f (x.c:1) for g (x.c:2), 80 %", released by the caller: of all waits with these causes for
 * the row's object. */
char *finding_wait_evidence(const struct run *run, const struct sync_row *row, unsigned causes,
			    const char *verb, const char *blame_verb);
