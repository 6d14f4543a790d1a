/* SPDX-License-Identifier: MIT */
/* Names for formats that have no way to quote.
 *
 * Names come from programs: C++ names contain blanks, quotes and commas, a thread may call itself
 * anything. Context: pure; results are released by the caller. */
#pragma once

#include "analyze/model/common/names.h"

#include <stdio.h>

/* The text as UTF-8: bytes that are not UTF-8 become U+FFFD. */
char *export_text(const char *text);
/* UTF-8 on one line: control characters become blanks, and each character of `forbidden` becomes
 * `substitute`. */
char *export_word(const char *text, const char *forbidden, char substitute);
/* The text as a JSON string, with its quotes. */
void export_json_text(FILE *out, const char *text);
/* "12.345": nanoseconds as microseconds, the unit of Chrome traces. */
void export_microseconds(FILE *out, int64_t ns);

/* The routine of a frame by its name, or "[unknown]" where it has none. */
const char *export_routine_name(const struct names *names, size_t routine);
