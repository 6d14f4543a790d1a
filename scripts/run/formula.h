/* SPDX-License-Identifier: MIT */
/* A formula of a derived metric, as `100 * cache-misses / cache-references`, and its postfix order.
 *
 *   sum     = product { ("+" | "-") product }
 *   product = value { ("*" | "/") value }
 *   value   = number | name | "(" sum ")"
 *
 * A name begins with a letter and continues with letters, digits and any of _ - : . =, as names of
 * events do; so a minus has a blank before it. A name is an event of the list, or cpu_seconds (CPU
 * time) or elapsed_seconds. Pure.
 *
 * The parser is our own (recursive descent): Debian has no library in C that parses formulas and
 * says where an error is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FORMULA_STEPS_MAX = 64, FORMULA_NUMBER_SIZE = 32 };

struct formula_step {
	enum formula_kind {
		STEP_NUMBER,
		STEP_EVENT,
		STEP_CPU_SECONDS,
		STEP_ELAPSED_SECONDS,
		STEP_OPERATOR
	} kind;
	char text[FORMULA_NUMBER_SIZE]; /* of a number, as written; of an operator */
	int event;                      /* index in the list */
};

struct formula {
	int count;
	struct formula_step steps[FORMULA_STEPS_MAX];
};

/* Can a formula call an event so, and mean nothing else? */
bool formula_is_name(const char *text);

/* False: error says what is wrong, where (as a column from 1), and the remedy. */
bool formula_parse(const char *text, const char *const *events, int event_count,
		   struct formula *formula, char *error, size_t size);

/* The steps, one blank between them; an event is @N, N = position[index]. False: no room. */
bool formula_text(const struct formula *formula, const int *position, char *text, size_t size);
