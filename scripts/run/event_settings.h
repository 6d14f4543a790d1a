/* SPDX-License-Identifier: MIT */
/* What --events asks for, as the preloaded library and the analyzer read it: PTRACE_EVENTS and
 * PTRACE_METRICS.
 *
 * PTRACE_EVENTS has an entry for each event, joined by ';', of 9 fields with one blank between
 * them: GROUP TYPE CONFIG CONFIG1 CONFIG2 FLAGS PERIOD UNIT NAME GROUP counts from 1 in ascending
 * order; TYPE to FLAGS are hexadecimal (enum event_flag); PERIOD is decimal, 0 for an event that is
 * only counted; UNIT is count or ns; NAME is the rest. PTRACE_METRICS has an entry for each derived
 * metric, joined by ';': NAME|UNIT|FORMULA|STEPS. STEPS is the formula in postfix order, with one
 * blank between the tokens: numbers, @N for the count of the Nth event, cpu_seconds,
 * elapsed_seconds, + - * /.
 *
 * A user sets PTRACE_EVENTS to a LIST; that the value is encoded already (because an outer
 * ptrace-run did it) is seen by its first field: no LIST has a number and a blank. */
#pragma once

#include <stdbool.h>

enum { COUNTERS_TEXT_MAX = 8192 }; /* of a variable: name, '=', value and 0 */

/* list: of --events; NULL: that of the variable, if there is one. If the list is wrong, ends
 * ptrace-run with a message and status 2. */
void counters_prepare(const char *list);

/* Sets the variables, after counters_prepare. */
void counters_set_environment(void);

/* The same from a text to texts. False: error says in one line what is wrong. */
bool counters_encode(const char *list, char events[COUNTERS_TEXT_MAX],
		     char metrics[COUNTERS_TEXT_MAX], char *error, unsigned long size);

bool counters_is_encoded(const char *value);
