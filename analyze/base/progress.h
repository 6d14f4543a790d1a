/* SPDX-License-Identifier: MIT */
/* A progress bar on the terminal, for long reads: "reading profiles [####    ] 1200 of 2000".
 *
 * Drawn only if standard error is a terminal, only after a second, at most ten times a second, and
 * erased before anything else is printed. Off until a main program enables it; the model and the
 * readers only report how far they are. Context: one thread. */
#pragma once

#include <stddef.h>

/* Enables the bar, and starts the second. */
void progress_enable(void);
/* A forked child leaves the terminal to its parent. */
void progress_disable(void);
/* `done` of `all` are finished. */
void progress_step(const char *what, size_t done, size_t all);
/* Erases the bar, if one is drawn. */
void progress_erase(void);
