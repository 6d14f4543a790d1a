/* SPDX-License-Identifier: MIT */
/* A thread that sleeps while it holds a lock keeps the others waiting: then the sleep is a problem
 * of the lock, and no polling. No record says what a thread held when it went to sleep; a sleep is
 * taken to be under the lock if the routine that sleeps is the one that is blamed most for the
 * waits, and if others waited for at least half as long as it slept (asleep_holding in
 * finding_limits.def). Context: pure. Nanoseconds. */
#pragma once

#include <stdbool.h>

struct run;
struct sync_row;

/* How long the main holder of the lock slept while it held the lock; 0: it did not. */
double finding_asleep_holding_ns(const struct run *run, const struct sync_row *lock);
/* Over all locks. */
double finding_asleep_holding_all_ns(const struct run *run);
/* May any holder of a lock have slept while it held the lock: does a routine that is blamed for
 * waits at one sleep, itself or in what it calls? */
bool finding_has_sleeping_holder(const struct run *run);
