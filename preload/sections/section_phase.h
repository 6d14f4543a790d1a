/* SPDX-License-Identifier: MIT */
/* The phase that the whole process is in: a section of all threads, which the next one ends.
 * Context: own thread, is_busy; reading: any. */
#pragma once

#include <stdint.h>

#include "preload/thread/thread.h"

enum { SECTION_PHASE_BITS = 8 };

/* Atomic: the section, and above its bits the instant when it began; 0: none. */
extern uint64_t section_phase_word __attribute__((visibility("hidden")));

static inline uint32_t section_phase_now(void)
{
	return (uint32_t)__atomic_load_n(&section_phase_word, __ATOMIC_RELAXED) &
	       ((1u << SECTION_PHASE_BITS) - 1);
}

/* From now on; NULL: none. The thread has told a section (section_stack_make). */
void section_phase_begin(struct thread *thread, const char *name);

/* Start-up and fork child. */
void section_phase_reset(void);
