/* SPDX-License-Identifier: MIT */
/* Answers of the symbolizer in an SQLite database: tables about (identity), texts (number, text)
 * and names, a row for each name of an answer; an answer without names has one row without a name.
 *
 * Nothing here fails: what is not as expected is no answer. Context: the analyzer, one thread. */
#pragma once

#include "analyze/symbols/name_answers.h"

/* NULL: it cannot be read, or is of another identity. */
struct name_answers *name_file_read(const char *path, const char *identity);

/* A new file. old_max: so many of the answers that have a scope and were not used are written, the
 * latest ones. False: not all of it was written. */
bool name_file_write(const char *path, const char *identity, const struct name_answers *answers,
		     size_t old_max);
