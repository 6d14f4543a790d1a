/* SPDX-License-Identifier: MIT */
/* Who keeps others waiting because it waits itself. Of a chain of threads the middle one is to
 * blame for what the last one waits for, by the record of who woke it or held the lock; but if the
 * middle one waited itself for most of the time that it is blamed for, the cause is further on.
 *
 * What the holder of a lock waited for while it held the lock is recorded (synchronization.h). No
 * record says what a thread did while another one waited to be woken by it: its waits are those of
 * the routine that wakes, at all times. So this is told beside who is blamed, and changes no
 * amount. Context: pure but for names. */
#pragma once

#include <stdbool.h>

struct run;
struct sync_row;

bool finding_is_in_chain(const struct run *run, const struct sync_row *row);

/* ", which itself waited 2.60 s for s12, kept waiting by one (x.c:8)", and so on to the one that
 * did not wait; empty if who is blamed most did not. Released by the caller. */
char *finding_chain_text(const struct run *run, const struct sync_row *row);
