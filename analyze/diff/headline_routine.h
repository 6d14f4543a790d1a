/* SPDX-License-Identifier: MIT */
/* A routine as the cause of a change, in words: who calls it, if it belongs to a library, and which
 * routine it replaced, if it is new: the one of the same caller that is gone. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* "parse (x.c)", or for an inlined leaf "operator[] (vector) in parse"; released by the caller. */
char *headline_routine_name(const struct changes *changes, const struct change *routine);
/* "parse (x.c) takes 0.5 s more CPU time (+48 %)"; released by the caller. */
char *headline_routine_text(const struct changes *changes, const struct change *routine);
/* Is it the CPU time of a routine itself? */
bool headline_is_own_time(const struct change *change);
/* "transform 70.1 ms -> 151 ms (x2.2)", with its verdict; released by the caller. */
char *headline_routine_figure(const struct change *change);

/* Of a change of CPU time that no routine explains for certain: the one that changed most, if that
 * is at least half of it: "perhaps parse (x.c) 66.5 ms -> 121 ms (+81 %, within noise: would need
 * x3.2)". NULL: there is none. Released by the caller. */
char *headline_routine_guess(const struct changes *changes);
