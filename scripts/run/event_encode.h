/* SPDX-License-Identifier: MIT */
/* From the name of an event to what the kernel is asked to count, by libpfm4: generic names
 * (cycles, page-faults), those of the processor (RETIRED_INSTRUCTIONS, skl::INST_RETIRED:ANY),
 * numbers (rNNNN), each with attributes (:u, :k, :precise=2). A name that libpfm4 knows need not be
 * countable on this machine. */
#pragma once

#include "event_code.h"

#include <stdbool.h>
#include <stddef.h>

/* presets: names that a user may have meant as well, ended by NULL; NULL: none. False: why says in
 * one line what is wrong, and the nearest names. */
bool event_encode(const char *name, const char *const *presets, struct event_code *code, char *why,
		  size_t size);
