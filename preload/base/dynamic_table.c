/* SPDX-License-Identifier: MIT */
#include "preload/base/dynamic_table.h"

#include "preload/base/pages.h"

#include <string.h>

enum {
	HIDDEN = 0x8000,   /* bit of a symbol's version: not the default one */
	FIRST_VERSION = 2, /* 0: local, 1: none */
};

#ifdef __x86_64__
enum {
	TYPE_OF_CALL = R_X86_64_JUMP_SLOT,
	TYPE_OF_ADDRESS = R_X86_64_GLOB_DAT,
	TYPE_OF_DATA = R_X86_64_64
};
#else
enum {
	TYPE_OF_CALL = R_AARCH64_JUMP_SLOT,
	TYPE_OF_ADDRESS = R_AARCH64_GLOB_DAT,
	TYPE_OF_DATA = R_AARCH64_ABS64
};
#endif

static void add_segment(const struct dl_phdr_info *info, const ElfW(Phdr) * segment,
			struct dynamic_table *table)
{
	uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;

	if (segment->p_type == PT_GNU_RELRO) {
		table->relro = pages_whole(start);
		table->relro_end = pages_whole(end);
	} else if (segment->p_type == PT_LOAD) {
		table->start = table->end ? table->start : start;
		table->end = end;
	}
}

/* The loader makes addresses of some entries only, and of none of the vdso's. */
static const void *place_of(const ElfW(Dyn) * entry, const struct dynamic_table *table)
{
	uint64_t value = entry->d_un.d_ptr;

	return (const void *)(value < table->base ? value + table->base : value);
}

static void add_entry(const ElfW(Dyn) * entry, struct dynamic_table *table)
{
	const void *place = place_of(entry, table);

	switch (entry->d_tag) {
	case DT_SYMTAB:
		table->symbols = place;
		break;
	case DT_STRTAB:
		table->strings = place;
		break;
	case DT_GNU_HASH:
		table->hash = place;
		break;
	case DT_HASH:
		table->old_hash = place;
		break;
	case DT_VERSYM:
		table->versions = place;
		break;
	case DT_VERNEED:
		table->needed = place;
		break;
	case DT_VERDEF:
		table->defined = place;
		break;
	case DT_JMPREL:
		table->relocations[0] = place;
		break;
	case DT_PLTRELSZ:
		table->counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	case DT_RELA:
		table->relocations[1] = place;
		break;
	case DT_RELASZ:
		table->counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	default:;
	}
}

static bool is_inside(const struct dynamic_table *table, const void *place)
{
	return (uint64_t)place >= table->start && (uint64_t)place < table->end;
}

bool dynamic_table_read(const struct dl_phdr_info *info, struct dynamic_table *table)
{
	const ElfW(Dyn) *entry = NULL;

	*table = (struct dynamic_table){.base = info->dlpi_addr};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		add_segment(info, &info->dlpi_phdr[i], table);
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	}
	for (; entry && entry->d_tag != DT_NULL; entry++)
		add_entry(entry, table);
	if (!is_inside(table, table->versions))
		table->versions = NULL;
	for (int i = 0; i < 2; i++)
		if (!is_inside(table, table->relocations[i]))
			table->counts[i] = 0;
	return is_inside(table, table->symbols) && is_inside(table, table->strings);
}

static const char *needed_version(const struct dynamic_table *table, unsigned version)
{
	const char *at = (const char *)table->needed;

	while (at) {
		const ElfW(Verneed) *file = (const void *)at;
		const char *next = at + file->vn_aux;
		for (unsigned i = 0; i < file->vn_cnt; i++) {
			const ElfW(Vernaux) *one = (const void *)next;
			if (one->vna_other == version)
				return table->strings + one->vna_name;
			next += one->vna_next;
		}
		at = file->vn_next ? at + file->vn_next : NULL;
	}
	return NULL;
}

static const char *defined_version(const struct dynamic_table *table, unsigned version)
{
	const char *at = (const char *)table->defined;

	while (at) {
		const ElfW(Verdef) *one = (const void *)at;
		const ElfW(Verdaux) *name = (const void *)(at + one->vd_aux);
		if (one->vd_ndx == version)
			return table->strings + name->vda_name;
		at = one->vd_next ? at + one->vd_next : NULL;
	}
	return NULL;
}

const char *dynamic_table_version(const struct dynamic_table *table, size_t symbol)
{
	unsigned version = table->versions ? table->versions[symbol] & ~(unsigned)HIDDEN : 0;

	if (version < FIRST_VERSION)
		return NULL;
	return table->symbols[symbol].st_shndx == SHN_UNDEF ? needed_version(table, version)
							    : defined_version(table, version);
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

static bool serves(const struct dynamic_table *table, size_t symbol, const char *version)
{
	const char *own = dynamic_table_version(table, symbol);

	if (!own)
		return true;
	if (!version)
		return !(table->versions[symbol] & HIDDEN);
	return !strcmp(own, version);
}

static bool is_function(const struct dynamic_table *table, size_t symbol, const char *name)
{
	const ElfW(Sym) *one = &table->symbols[symbol];

	return one->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(one->st_info) == STT_FUNC &&
	       !strcmp(table->strings + one->st_name, name);
}

/* The vDSO of some kernels has the old hash table alone, and few symbols. */
static uint32_t find_among_all(const struct dynamic_table *table, const char *name,
			       const char *version)
{
	uint32_t count = table->old_hash ? table->old_hash[1] : 0;

	for (uint32_t at = 1; at < count; at++)
		if (is_function(table, at, name) && serves(table, at, version))
			return at;
	return 0;
}

/* The GNU hash table: four words, a Bloom filter, the buckets' first symbols, and for each hashed
 * symbol its hash, whose lowest bit ends its bucket. */
uint32_t dynamic_table_find(const struct dynamic_table *table, const char *name,
			    const char *version)
{
	const uint32_t *head = table->hash;
	uint32_t hash = hash_of(name);

	if (!head)
		return find_among_all(table, name, version);
	uint32_t buckets = head[0], first = head[1], words = head[2], shift = head[3];
	const ElfW(Addr) *filter = (const void *)(head + 4);
	const uint32_t *bucket = (const void *)(filter + words);
	const uint32_t *chain = bucket + buckets;
	ElfW(Addr) word = filter[hash / 64 % words];
	if (!(word >> hash % 64 & word >> (hash >> shift) % 64 & 1))
		return 0;
	uint32_t at = bucket[hash % buckets];
	if (at < first)
		return 0;
	for (;; at++) {
		if ((chain[at - first] | 1) == (hash | 1) && is_function(table, at, name) &&
		    serves(table, at, version))
			return at;
		if (chain[at - first] & 1)
			return 0;
	}
}

enum dynamic_slot dynamic_table_slot(const ElfW(Rela) * relocation)
{
	switch (ELF64_R_TYPE(relocation->r_info)) {
	case TYPE_OF_CALL:
		return SLOT_CALL;
	case TYPE_OF_ADDRESS:
		return SLOT_ADDRESS;
	case TYPE_OF_DATA:
		return relocation->r_addend ? SLOT_NONE : SLOT_ADDRESS;
	default:
		return SLOT_NONE;
	}
}
