/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_root.h"

#include "preload/base/interrupted.h"
#include "preload/stacks/callpath.h"

/* No key at first: a sample may come in between. */
uint32_t section_root_find(struct thread *thread, uint32_t key)
{
	uint32_t phase = key >> SECTION_PHASE_BITS,
		 section = key & ((1u << SECTION_PHASE_BITS) - 1);
	uint32_t root = phase ? callpath_section(0, phase) : 0;

	if (section)
		root = callpath_section(root, section);
	thread->section_root_key = UINT32_MAX;
	interrupted_fence();
	thread->section_root = root;
	interrupted_fence();
	thread->section_root_key = key;
	return root;
}
