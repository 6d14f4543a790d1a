/* SPDX-License-Identifier: MIT */
/* What a comparison of runs (ptrace-diff) makes of a figure: the place DIFF of a line of a list
 * (row_fields.h). It stands here and not in the room diff, as a list is read by the report first;
 * docs/diff.md says what the words mean for the verdict. */
#pragma once

#include <stdbool.h>

enum figure_sense { SENSE_NEUTRAL, SENSE_LESS, SENSE_MORE }; /* what is better */

/* What a change of the figure means for the verdict on the run. */
enum figure_role {
	ROLE_EXPLAINS, /* nothing */
	ROLE_DECIDES,  /* it is the verdict */
	ROLE_CAUSE,    /* it may be why, and decides where elapsed time supports it */
	ROLE_SHARING,  /* as a cause, if the same work is done by more threads, or fewer, or is
			  distributed otherwise (diff/sharing.h) */
	ROLE_SYMPTOM,  /* as a cause, but only where no cause is found: threads that wait for others
			  to get something done */
	ROLE_OF_ROW    /* in a list only: it depends on the row, of which the extractor knows it */
};

/* Whose time it is. What such a time of a row means in elapsed time, the extractor knows. */
enum figure_time {
	TIME_OF_THREADS, /* of several threads or ranks, which may wait at once */
	TIME_ELAPSED,
	TIME_CPU, /* of several threads, and sampled */
	TIME_KINDS
};

struct field_diff {
	const char *metric; /* NULL: not compared */
	enum figure_sense sense;
	enum figure_role role;
	enum figure_time time;
	bool is_further;  /* shown if all figures are asked for (diff/figures.h) */
	bool is_fraction; /* shown in percent; one that is unknown is no figure */
};
