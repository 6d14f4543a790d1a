/* SPDX-License-Identifier: MIT */
/* Where the call paths of a thread begin while it is in a section, or the process in a phase: below
 * marks that say so (vocabulary.h, MARK_SECTIONS). Context: own thread; samples. */
#pragma once

#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/sections/section_phase.h"

uint32_t section_root_find(struct thread *thread, uint32_t key);

/* A row of callpaths; 0: it is in none, and paths begin at the top. */
static inline uint32_t section_root(struct thread *thread)
{
	uint32_t key = section_phase_now() << SECTION_PHASE_BITS | thread->section;

	if (likely(key == thread->section_root_key))
		return thread->section_root;
	return section_root_find(thread, key);
}
