/* SPDX-License-Identifier: MIT */
/* Replaces preload/concurrency/switches.c: the records are those that a test creates. */
#pragma once

#include "preload/concurrency/switches.h"

/* A record in the ring, after those that are in it. Nothing while no rings are open. */
void made_switches_add(unsigned ring, uint64_t time_ns, uint32_t tid, enum switch_kind kind);

/* How many records were consumed from all rings so far, and how often rings for single threads were
 * opened. */
unsigned made_switches_consumed(void);
unsigned made_switches_windows(void);
