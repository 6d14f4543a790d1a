/* SPDX-License-Identifier: MIT */
/* Who wakes others late because it was woken late itself. Of a chain of threads the middle one is
 * to blame for what the last one waits for, by the record of who woke it; but if the middle one
 * waited itself for most of the time that it is blamed for, the cause is further on.
 *
 * No record says what a thread did while another one waited for it: its waits are those of the
 * routine that wakes, at all times. So this is told beside who woke whom, and changes no amount.
 * Context: pure but for names. */
#pragma once

struct run;
struct sync_row;

/* ", which itself waited 2.60 s for s12, kept waiting by one (x.c:8)", and so on to the one that
 * did not wait; empty if who is blamed most did not. Released by the caller. */
char *finding_chain_text(const struct run *run, const struct sync_row *row);
