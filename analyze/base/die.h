/* SPDX-License-Identifier: MIT */
/* The one way in which an analyzer program gives up: a line "NAME: what is wrong and what to do",
 * status 2. */
#pragma once

/* Both print one line on standard error, the name by which the program was called in front; die()
 * then ends it. Control characters are shown as \xNN. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));
void warn_line(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
