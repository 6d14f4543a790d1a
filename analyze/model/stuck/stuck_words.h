/* SPDX-License-Identifier: MIT */
/* Waits and their verdicts in words. Context: pure; texts without another word are released by the
 * caller. */
#pragma once

#include "analyze/model/stuck/stuck_wait.h"

struct process;

/* "self_deadlock", ...; "runs", ...; "memory", ... */
const char *stuck_kind_text(enum stuck_kind kind);
const char *stuck_state_text(enum stuck_state state);
const char *stuck_source_text(enum stuck_source source);
/* Who a thread is: "thread 4711 (worker) of process 4700", "rank 3"; released by the caller. */
char *stuck_who(const struct stuck *stuck, const struct process *processes, size_t wait);
/* Whom it waits for, shortly; released by the caller. */
char *stuck_whom(const struct stuck *stuck, const struct process *processes, size_t wait);
/* The wait as a sentence: who waits for what, where, and for whom. */
char *stuck_sentence(const struct stuck *stuck, const struct process *processes, size_t wait);
/* The verdict as a paragraph. */
char *stuck_verdict_text(const struct stuck *stuck, const struct process *processes,
			 const struct stuck_verdict *verdict);
