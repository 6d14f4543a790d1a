/* SPDX-License-Identifier: MIT */
/* The one way in which an analyzer program gives up: a line "NAME: what is wrong and what to do",
 * status 2. */
#pragma once

#include "analyze/text_list.h"

#include <stdbool.h>

/* Both print one line on standard error, the name by which the program was called in front; die()
 * then ends it. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));
void warn_line(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* The status of a program that has said what it could of a run: 0, or 1 and a line with the reason,
 * the first note: notes begin with how processes ended and what could not be read. */
int warn_incomplete(bool is_complete, const struct text_list *notes);
