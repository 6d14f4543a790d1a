/* SPDX-License-Identifier: MIT */
/* What the dynamic section of a loaded object says: its symbols by name, and the slots through
 * which it calls other objects. The loader's own view, read in memory; libelf is not here, because
 * this library needs libc alone. Any context; takes no lock. */
#pragma once

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dynamic_table {
	uint64_t base;             /* load address */
	uint64_t start, end;       /* in memory */
	uint64_t relro, relro_end; /* what the loader made read-only, whole pages; equal: nothing */
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;              /* DT_GNU_HASH; NULL: none */
	const uint32_t *old_hash;          /* DT_HASH; NULL: none */
	const ElfW(Half) * versions;       /* of each symbol; NULL: it has none */
	const ElfW(Verneed) * needed;      /* what it needs of others, */
	const ElfW(Verdef) * defined;      /* and defines */
	const ElfW(Rela) * relocations[2]; /* of functions, which may be bound later; of the rest */
	size_t counts[2];
};

/* False: it has no symbols. */
bool dynamic_table_read(const struct dl_phdr_info *info, struct dynamic_table *table);

/* The version that a symbol of the table has or asks for; NULL: none. */
const char *dynamic_table_version(const struct dynamic_table *table, size_t symbol);

/* Number of the symbol of a function that the object defines by that name in that version (NULL:
 * whatever is the default); 0: there is none. A definition without version serves all. */
uint32_t dynamic_table_find(const struct dynamic_table *table, const char *name,
			    const char *version);

static inline bool dynamic_table_has(const struct dynamic_table *table, uint64_t address)
{
	return address >= table->start && address < table->end;
}

static inline const void *dynamic_table_address(const struct dynamic_table *table, uint32_t symbol)
{
	return (const void *)(table->base + table->symbols[symbol].st_value);
}

/* What a relocation makes: a slot through which an imported function is called, an imported address
 * (in the linker's table or in data), or something else. */
enum dynamic_slot { SLOT_NONE, SLOT_CALL, SLOT_ADDRESS };
enum dynamic_slot dynamic_table_slot(const ElfW(Rela) * relocation);
