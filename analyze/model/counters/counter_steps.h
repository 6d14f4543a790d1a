/* SPDX-License-Identifier: MIT */
/* The formula of a metric in postfix order, as the table metrics has it: a number, @N (count of
 * event N), cpu_seconds, elapsed_seconds, + - * /; separated by blanks.
 *
 * Context: pure. A text that is no formula has no steps, and its value is unknown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* More operands than any formula has at once. */
#define COUNTER_STACK_MAX 32

enum counter_op {
	STEP_NUMBER,
	STEP_EVENT,
	STEP_CPU_SECONDS,
	STEP_ELAPSED_SECONDS,
	STEP_ADD,
	STEP_SUBTRACT,
	STEP_MULTIPLY,
	STEP_DIVIDE
};

struct counter_step {
	enum counter_op op;
	double number; /* STEP_NUMBER */
	size_t event;  /* STEP_EVENT: from 1 on */
};

struct counter_steps {
	struct counter_step *rows;
	size_t count; /* 0: the text was no formula */
};

/* The operands of a formula; NAN: unknown. */
struct counter_operands {
	const double *events; /* [0] is not used */
	size_t event_limit;
	double cpu_seconds, elapsed_seconds;
};

/* event_of: what @N stands for, by N < limit; 0: nothing. */
struct counter_steps counter_steps_parse(const char *text, const size_t *event_of, size_t limit);
void counter_steps_clear(struct counter_steps *steps);
/* The same as a text again; released by the caller. */
char *counter_steps_text(const struct counter_steps *steps);
/* NAN: an operand is unknown, or something is divided by zero. */
double counter_steps_value(const struct counter_steps *steps,
			   const struct counter_operands *operands);
