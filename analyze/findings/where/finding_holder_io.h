/* SPDX-License-Identifier: MIT */
/* Locks whose holders wait for input and output while others wait for the lock (synchronization.h).
 * Context: pure but for names. Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;
struct sync_row;
struct sync_site;

/* The part of the row's waits, without those of idle threads, in which the holder is known to have
 * waited for input or output: at least so much. */
double finding_holder_io_ns(const struct sync_row *row);
/* Most of the waits for it is that (most in finding_limits.def). */
bool finding_is_held_in_io(const struct run *run, const struct sync_row *row, unsigned causes);
/* The holder with the most of it; NULL: there is none. */
const struct sync_site *finding_io_holder(const struct sync_row *row);
/* "waited for input and output, most of it in read of /var/log/x at f (x.c:1)", released by the
 * caller. */
char *finding_holder_io_text(const struct run *run, const struct sync_site *holder);
