/* SPDX-License-Identifier: MIT */
/* The rules behind findings. A new rule is a row in finding_rules.def and a function judge_NAME in
 * the finding_rules_*.c that it fits. Used by findings.c and the rules only. Context: pure but for
 * names. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>
#include <stdint.h>

struct process;
struct routine_time;
struct run;

/* Returns the severity, NAN if the rule does not apply or it cannot be told: what is at stake of
 * the elapsed time (finding_stake.h), or another measure, and then sets elapsed_percent. If the
 * severity is positive, sets evidence and the steps to where the time is lost; sets grade if the
 * severity is not exact; may change title and advice. */
typedef double finding_judge(const struct run *run, struct finding *finding);

#define RULE(id, kind, from, judge, title, reason, advice) finding_judge judge_##judge;
#include "analyze/findings/rules/finding_rules.def"
#undef RULE

/* ---- what rules know of each other ---- */

/* The part of the thread time blocked for no known cause that the lock of malloc explains; an
 * estimate (finding_rules_allocator.c). */
double finding_allocator_blocked_ns(const struct run *run);

/* CPU time in loops that only read memory (finding_rules_busy.c). */
double finding_busy_ns(const struct run *run);

/* Is it sched_yield? (finding_rules_spin.c) */
bool finding_is_yield(const struct run *run, const struct routine_time *row);
/* Of that, what no MPI library called: it polls in its calls, which the rules on MPI judge. */
double finding_yield_of_program_ns(const struct routine_time *row);
/* CPU time of samples in sched_yield itself: a lower bound for the loop around it. Adds the calls
 * to *count. An MPI library's are left out of both. */
double finding_yield_ns(const struct run *run, uint64_t *count);

/* How long this thread was alone in routines that only it runs; 0: they are another thread's
 * (finding_rules_alone.c). */
double finding_alone_part_ns(const struct run *run, uint64_t tid);

/* Elapsed time in which short-lived threads are started and joined (finding_rules_grain.c). */
double finding_short_threads_ns(const struct run *run);

/* Adds the routine that most often read or wrote little of objects of that kind, and the object; of
 * pipes it is one that wrote. kind: as "pipe"; NULL: of all. (finding_rules_small_io.c) */
void finding_add_small_io(const struct run *run, struct finding *finding, const char *kind);

/* Were there more threads at once, in OpenMP teams within teams, than processors?
 * (finding_rules_nested.c) */
bool has_nested_teams(const struct run *run);

/* Do OpenMP regions tell who worked alone, and how unevenly? They do so better than the threads as
 * such. (finding_rules_openmp.c) */
bool is_told_by_openmp(const struct run *run);
bool is_omp_oversubscribed(const struct run *run);

/* The routine with most of the CPU time of a process, of those that it has nearly alone
 * (finding_rules_pipeline.c). */
void finding_add_routine_of(struct finding *finding, const struct run *run,
			    const struct process *process);

/* The part of the thread time blocked for these causes (1 << enum cause, or'ed) in which other
 * processes wait for the one that sets the pace (finding_rules_pipeline.c), and in which stages
 * wait for each other: no input and output of their own (finding_rules_stage.c). */
double finding_pipeline_blocked_ns(const struct run *run, unsigned causes);
double finding_stage_blocked_ns(const struct run *run, unsigned causes);
