/* SPDX-License-Identifier: MIT */
/* The slots through which a loaded object calls functions of others, and how one is changed while
 * the program runs. Context: one thread at a time, in no signal handler. */
#pragma once

#include "preload/base/dynamic_table.h"

/* Those of libc, of the loader, and of this library are. */
bool import_slots_are_left_alone(const struct dynamic_table *table);

uint64_t *import_slot_place(const struct dynamic_table *table, const ElfW(Rela) * relocation);

/* Its first call would ask the loader: the slot leads back into the object's own code. */
bool import_slot_is_unbound(const struct dynamic_table *table, const ElfW(Rela) * relocation,
			    uint64_t value);

/* One store. Pages that the loader made read-only are writable from then on, until the object is
 * done: import_slots_close. False: they cannot be. */
bool import_slot_store(const struct dynamic_table *table, uint64_t *place, uint64_t value);
void import_slots_close(const struct dynamic_table *table);
