/* SPDX-License-Identifier: MIT */
/* A profile in the format of pprof (profile.proto), gzipped, written as a stream: texts, functions,
 * locations and mappings are written when they are first met, and only their numbers stay in
 * memory.
 *
 * The fields of a message may have any order, so nothing has to wait for the end. A location is a
 * routine at a line; it has no address, as profiles of many processes have none in common. Context:
 * one thread; ends the program if the file cannot be written. */
#pragma once

#include "analyze/model/common/names.h"

#include <stdio.h>

enum pprof_value {
	PPROF_SAMPLES,
	PPROF_CPU,
	PPROF_ALONE,
	PPROF_WAITS,
	PPROF_WAIT,
	PPROF_ELAPSED,
	PPROF_VALUES
};

enum pprof_label {
	PPROF_THREAD,  /* text */
	PPROF_LOCK,    /* text */
	PPROF_PROCESS, /* text */
	PPROF_TID,
	PPROF_PID,
	PPROF_RANK,
	PPROF_LABELS
};

/* A text label is present if it is not NULL, a number if has_number says so. */
struct pprof_labels {
	const char *texts[PPROF_LABELS];
	uint64_t numbers[PPROF_LABELS];
	bool has_number[PPROF_LABELS];
};

/* A type of values beyond those of enum pprof_value; one of an equal name gets another
 * (unique_names.h). */
struct pprof_type {
	const char *name, *unit;
};

struct pprof_writer;

/* more: has to live as long as the writer. */
struct pprof_writer *pprof_writer_create(FILE *out, const struct names *names,
					 const struct pprof_type *more, size_t count);
/* The build-id of a loaded object; for a path the first call counts. To be called before its
 * routines are met. */
void pprof_writer_module(struct pprof_writer *writer, const char *path, const char *build_id);
/* frames: innermost first. more: the values of the further types; NULL: zeros. */
void pprof_writer_sample(struct pprof_writer *writer, const struct frame *frames, size_t count,
			 const struct pprof_labels *labels, const uint64_t values[PPROF_VALUES],
			 const uint64_t *more);
void pprof_writer_comment(struct pprof_writer *writer, const char *text);
/* start_ns: CLOCK_REALTIME; 0: unknown. Writes the rest and releases the writer. */
void pprof_writer_finish(struct pprof_writer *writer, uint64_t start_ns, uint64_t duration_ns,
			 uint64_t period_ns);
