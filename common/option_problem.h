/* SPDX-License-Identifier: MIT */
/* What is wrong with an option that getopt_long refused, in a line that says what was probably
 * meant: unknown option '--smaple': did you mean --sample? Pure, but for getopt's variables. */
#pragma once

#include <getopt.h>
#include <stddef.h>

/* key: what getopt_long returned, '?' or, for a missing argument, ':' (letters must begin so, and
 * opterr be 0). program is for the line that has no better advice than --help. */
void option_problem_text(char *const *words, int key, const struct option *table,
			 const char *program, char *text, size_t size);
