/* SPDX-License-Identifier: MIT */
/* Text that is longer than the screen of a terminal, shown by a pager, as git shows it.
 *
 * The pager is that of the environment: PTRACE_PAGER, otherwise PAGER, otherwise less, if there is
 * one; an empty value or "cat" is none. less is told by LESS, if that is not set, to quit if the
 * text fits, and to show colours. Context: main thread; starts a process and waits for it. */
#pragma once

#include <stdio.h>

/* Prints the text to `out`, which the pager does only where it is standard output and a terminal of
 * fewer lines. */
void pager_print(FILE *out, const char *text);
