/* SPDX-License-Identifier: MIT */
/* Who sleeps while it holds a lock keeps the others waiting: the sleep is the lock's matter then,
 * and no polling. No record says what a thread held when it went to sleep; a sleep is taken to be
 * under the lock if the routine that sleeps is the one that is blamed most for the waits, and if
 * others waited at least half as long. Context: pure. Nanoseconds. */
#pragma once

struct run;
struct sync_row;

/* For how long the main holder of the lock slept where it held it; 0: it did not. */
double finding_asleep_holding_ns(const struct run *run, const struct sync_row *lock);
/* Over all locks. */
double finding_asleep_holding_all_ns(const struct run *run);
