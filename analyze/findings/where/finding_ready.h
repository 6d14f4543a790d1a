/* SPDX-License-Identifier: MIT */
/* Ready time for the rules on too many threads, ranks and members of teams: they tell what the
 * program's own threads explain, and the rule of oversubscription what is left for other programs.
 * Context: pure. Times in nanoseconds. */
#pragma once

#include <stdbool.h>

struct finding;
struct run;

/* The part that the program's own threads explain: how long they would have been ready with all
 * processors to themselves; all of it, if nobody else used these. */
double finding_explained_ready_ns(const struct run *run);
/* "threads were ready to run for 3 s, of which REASON 1 s"; without the first part, if it is all of
 * the ready time. Released by the caller. */
char *finding_ready_text(const struct run *run, double ready_ns, const char *reason);
/* The stake of an explained part: what others took of the processors stays taken. */
void finding_add_explained_stake(const struct run *run, struct finding *finding, double ready_ns);
/* Its share of the time in which threads wanted to run, percent. */
double finding_ready_percent(const struct run *run, double ready_ns);
