/* SPDX-License-Identifier: MIT */
/* A bar on the terminal while a long reading goes on: "reading profiles [####    ] 1200 of 2000".
 *
 * Only on a standard error that is a terminal, only after a second, drawn ten times a second, and
 * erased before anything else is printed. Off until a main switches it on; the model and the
 * readers only say how far they are. Context: one thread. */
#pragma once

#include <stddef.h>

/* Begins to count the second. */
void progress_enable(void);
/* A forked child leaves the terminal to its parent. */
void progress_disable(void);
/* done of all are behind us. */
void progress_step(const char *what, size_t done, size_t all);
/* Nothing is left of a bar. */
void progress_erase(void);
