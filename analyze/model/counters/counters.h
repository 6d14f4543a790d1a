/* SPDX-License-Identifier: MIT */
/* What a run counted: hardware and software events, and metrics formed of them.
 *
 * count    as the kernel counted. Summed over routines, [unsampled] included, it is the thread's
 *          count exactly; so it is over lines, and over causes of waits
 * scaled   where events took turns, each thread's counts x enabled / running: the time for which
 * the event was to be counted, and the part of it in which it was coverage running / enabled of all
 * threads that were to count it
 *
 * Grades: exact if every thread counted the event all the time; estimated if it was counted for a
 * part of it, or some thread could not, or samples contradict the counts; unknown if no thread
 * counted it. What places (routines,
 * ...) have is sampled besides: a sample has what was counted since the thread's previous one.
 * Totals are of the threads that could count.
 *
 * alone, company: parts of self at level 1, and at level 2 and above, of threads of the process on
 * a processor at the instant of the sample. Accumulator as in accumulator.h. Context: pure but for
 * names. */
#pragma once

#include "analyze/model/common/call_stack.h"
#include "analyze/model/common/grade.h"
#include "analyze/model/counters/counter_places.h"
#include "analyze/model/counters/counter_steps.h"
#include "analyze/model/time/spread.h"
#include "analyze/tables/merged.h"

#include <stdbool.h>

struct process;
struct profile_event_sample;
struct merged_input;

/* More events, or metrics, of one run are left out. */
#define COUNTERS_MAX 256

struct counter {
	/* Columns: merged.def. type to flags: as in the table events; left_out_ns: as in a fork
	 * child, or after the program took the descriptor; excess: 0, or the profile is wrong */
	struct merged_counter_events;
	enum grade grade;
	double coverage;        /* NAN: no thread was to count it */
	struct spread by[WAYS]; /* of scaled, over threads and over processes that counted it */
};

struct counter_metric {
	const char *name, *unit, *formula;
	struct counter_steps steps;
	enum grade grade;
	size_t missing; /* event without which it is unknown; 0: none */
	double value;   /* of the run; NAN: unknown */
};

struct counter_places {
	const struct counter_place **rows;
	size_t count;
};

struct counters {
	struct counter *rows; /* event N is rows[N]; rows[COUNTER_CPU] is CPU time */
	size_t limit;         /* number of events + 1; 1: no event was asked for */
	struct counter_metric *metrics;
	size_t metric_count;
	double elapsed_seconds;     /* of the run */
	struct counter_place whole; /* the sums of the run, by event; its kind is COUNTER_KINDS */
	struct counter_places of[COUNTER_KINDS]; /* the most of the first event that was counted
						    first; causes and levels by their numbers */
	struct counter_places lines;
	struct counter_table *table; /* owns the places */
};

struct counters_accumulator;

/* Who else wants to know what a profile counted, sample by sample. sample: where; NULL: nowhere,
 * since no sample has it. event: its name, of the names. */
struct counters_listener {
	void (*hear)(void *data, const char *event, const struct profile_event_sample *sample,
		     const struct counter_sum *sum);
	void *data;
};

struct counters_accumulator *counters_accumulator_create(struct names *names);
/* keeps_threads: a row of each is wanted. listener NULL: there is none. */
void counters_accumulator_add(struct counters_accumulator *accumulator,
			      const struct profile *profile, const struct process *process,
			      bool keeps_threads, const struct counters_listener *listener);
/* Merged runs (tables/merged.h). */
void counters_accumulator_write(const struct counters_accumulator *accumulator,
				struct merged_writer *writer);
void counters_accumulator_read(struct counters_accumulator *accumulator,
			       struct merged_input *input);
struct counters counters_accumulator_finish(struct counters_accumulator *accumulator,
					    uint64_t elapsed_ns);
void counters_clear(struct counters *counters);

/* Was any event asked for? */
bool counters_are_there(const struct counters *counters);
/* The number of an event; 0: there is none of that name. */
size_t counters_event_named(const struct counters *counters, const char *name);
/* The value of an event at a place; NAN: no thread counted it. */
double counters_value(const struct counters *counters, const struct counter_place *place,
		      size_t event, enum counter_part part);
/* The value of a metric at a place. Elapsed time is that of the run, and known for the run only;
 * CPU time is not known by cause. NAN: unknown. */
double counters_metric(const struct counters *counters, const struct counter_metric *metric,
		       const struct counter_place *place, enum counter_part part);
/* Of a line's own code; NULL: nothing was counted there. line 0: code without a known line. */
const struct counter_place *counters_of_line(const struct counters *counters, size_t routine,
					     unsigned line);
const struct counter_place *counters_of_routine(const struct counters *counters, size_t routine);
/* Why an event is not exact, or not known, in words; released by the caller. NULL: it is exact. */
char *counters_reason(const struct counter *counter);
