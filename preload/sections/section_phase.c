/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_phase.h"

#include "preload/process/process_row.h"
#include "preload/sections/section_names.h"
#include "preload/sections/section_stack.h"

uint64_t section_phase_word;

void section_phase_reset(void)
{
	section_phase_word = 0;
}

void section_phase_begin(struct thread *thread, const char *name)
{
	uint32_t section = name ? section_number(SECTION_PHASE, 0, name) : 0;
	uint64_t now_ns = section_stack_now_ns(thread);
	uint64_t word = section ? now_ns << SECTION_PHASE_BITS | section : 0;
	uint64_t before = __atomic_exchange_n(&section_phase_word, word, __ATOMIC_ACQ_REL);
	uint32_t ended = before & ((1u << SECTION_PHASE_BITS) - 1);

	section_stack_pass(thread, now_ns);
	if (!concurrency_set_phase(&thread->event_ring, section, now_ns,
				   section_stack_cpu_ns(thread)))
		__atomic_fetch_add(&process_row->transitions_lost, 1, __ATOMIC_RELAXED);
	section_stack_count_phase(thread, ended, before >> SECTION_PHASE_BITS, section, now_ns);
}
