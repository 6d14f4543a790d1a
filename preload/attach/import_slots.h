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

/* The object imports something by this relocation, into a slot. */
static inline bool import_slot_is(const struct dynamic_table *table, const ElfW(Rela) * relocation)
{
	size_t symbol = ELF64_R_SYM(relocation->r_info);

	return symbol && dynamic_table_slot(relocation) != SLOT_NONE &&
	       table->symbols[symbol].st_shndx == SHN_UNDEF;
}

static inline const char *import_slot_name(const struct dynamic_table *table,
					   const ElfW(Rela) * relocation)
{
	return table->strings + table->symbols[ELF64_R_SYM(relocation->r_info)].st_name;
}

/* How many objects the loader had loaded and unloaded when slots were looked at. */
struct import_counts {
	unsigned long long loaded, unloaded;
};

static inline void import_counts_note(struct import_counts *counts, const struct dl_phdr_info *info)
{
	*counts = (struct import_counts){info->dlpi_adds, info->dlpi_subs};
}

/* It has loaded or unloaded some since. */
bool import_counts_are_stale(const struct import_counts *counts);

/* One store. Pages that the loader made read-only are writable from then on, until the object is
 * done: import_slots_close. False: they cannot be. */
bool import_slot_store(const struct dynamic_table *table, uint64_t *place, uint64_t value);
void import_slots_close(const struct dynamic_table *table);
