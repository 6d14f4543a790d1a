/* SPDX-License-Identifier: MIT */
#include "preload/attach/imports.h"

#include "preload/attach/import_slots.h"
#include "preload/base/direct.h"
#include "preload/base/dynamic_table.h"
#include "preload/base/pages.h"
#include "preload/process/entry.h"

#include <errno.h>
#include <string.h>

enum { SYMBOLS_MOST = 4096 /* of this library */, SLOTS_FIRST = 2048, SLOTS_MOST = 1 << 20 };

struct slot {
	uint64_t *place;
	uint64_t was, wrapper;
};

static struct {
	struct dynamic_table own;
	struct slot *slots;
	uint32_t count, room;
	bool is_short; /* of memory */
	/* by our symbol: is it imported somewhere, and what the whole program sees by that name */
	bool is_wanted[SYMBOLS_MOST], is_asked[SYMBOLS_MOST];
	uint64_t seen[SYMBOLS_MOST];
	struct import_counts counts;
} imports;

/* ---- the objects ---- */

static int find_own(struct dl_phdr_info *info, size_t unused, void *unused_too)
{
	(void)unused;
	(void)unused_too;
	return dynamic_table_read(info, &imports.own) &&
	       dynamic_table_has(&imports.own, (uint64_t)&imports);
}

/* An import of an object that one of our wrappers serves. */
struct import {
	const struct dynamic_table *table;
	const ElfW(Rela) * relocation;
	uint32_t wrapper; /* our symbol */
};

typedef void import_function(const struct import *import);

static void for_import(const struct dynamic_table *table, const ElfW(Rela) * relocation,
		       import_function *look)
{
	if (!import_slot_is(table, relocation))
		return;
	struct import import = {table, relocation, 0};
	import.wrapper =
		dynamic_table_find(&imports.own, import_slot_name(table, relocation),
				   dynamic_table_version(table, ELF64_R_SYM(relocation->r_info)));
	if (import.wrapper && import.wrapper < SYMBOLS_MOST)
		look(&import);
}

static void for_imports(const struct dl_phdr_info *info, struct dynamic_table *table,
			import_function *look)
{
	if (!dynamic_table_read(info, table) || import_slots_are_left_alone(table))
		return;
	for (int kind = 0; kind < 2; kind++)
		for (size_t i = 0; i < table->counts[kind]; i++)
			for_import(table, &table->relocations[kind][i], look);
}

/* ---- what the program sees ---- */

static void want(const struct import *import)
{
	imports.is_wanted[import->wrapper] = true;
}

static int want_all(struct dl_phdr_info *info, size_t unused, void *unused_too)
{
	struct dynamic_table table;

	(void)unused;
	(void)unused_too;
	for_imports(info, &table, want);
	return 0;
}

/* Not within dl_iterate_phdr, whose lock is the inner one of the loader's two. */
static void see_all(void)
{
	for (uint32_t i = 1; i < SYMBOLS_MOST; i++) {
		if (!imports.is_wanted[i] || imports.is_asked[i])
			continue;
		imports.is_asked[i] = true; /* once: what is not found leaves a text to be freed */
		const char *name = imports.own.strings + imports.own.symbols[i].st_name;
		const char *version = dynamic_table_version(&imports.own, i);
		imports.seen[i] = (uint64_t)entry_behind(name, version);
	}
}

/* ---- the slots ---- */

/* Of ptrace.h: nobody else has it, and the program found none. */
static bool is_call_of_ours(const struct import *import)
{
	static const char prefix[] = "libptrace_";
	const char *name = import_slot_name(import->table, import->relocation);

	return !strncmp(name, prefix, sizeof prefix - 1);
}

static bool is_to_change(const struct import *import, uint64_t value)
{
	uint64_t seen = imports.seen[import->wrapper];

	if (value == (uint64_t)dynamic_table_address(&imports.own, import->wrapper))
		return false;
	if (!value)
		return is_call_of_ours(import);
	return !seen || value == seen ||
	       import_slot_is_unbound(import->table, import->relocation, value);
}

static bool have_room(void)
{
	if (imports.count < imports.room)
		return true;
	uint32_t room = imports.room ? 2 * imports.room : SLOTS_FIRST;
	struct slot *more = room <= SLOTS_MOST ? pages_new(room * sizeof *more) : NULL;
	if (!more)
		return false;
	if (imports.slots) {
		memcpy(more, imports.slots, imports.count * sizeof *more);
		pages_free(imports.slots, imports.room * sizeof *more);
	}
	imports.slots = more;
	imports.room = room;
	return true;
}

static void change(const struct import *import)
{
	uint64_t *place = import_slot_place(import->table, import->relocation),
		 was = __atomic_load_n(place, __ATOMIC_RELAXED);
	uint64_t wrapper = (uint64_t)dynamic_table_address(&imports.own, import->wrapper);

	if (!is_to_change(import, was))
		return;
	if (!have_room()) {
		imports.is_short = true;
		return;
	}
	if (import_slot_store(import->table, place, wrapper))
		imports.slots[imports.count++] = (struct slot){place, was, wrapper};
}

static int change_all(struct dl_phdr_info *info, size_t unused, void *unused_too)
{
	(void)unused;
	(void)unused_too;
	struct dynamic_table table;

	import_counts_note(&imports.counts, info);
	for_imports(info, &table, change);
	import_slots_close(&table);
	return 0;
}

/* ---- objects that come and go ---- */

/* Whether a slot lies in a part of the object that can be written, also if it is read-only now. */
static bool has_slot(const struct dl_phdr_info *info, const uint64_t *place)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_W &&
		    (uint64_t)place - info->dlpi_addr - segment->p_vaddr < segment->p_filesz)
			return true;
	}
	return false;
}

/* Slots of the object, which is still there: they are kept. */
static int keep(struct dl_phdr_info *info, size_t unused, void *kept)
{
	uint32_t *count = kept;

	(void)unused;
	for (uint32_t i = *count; i < imports.count; i++) {
		struct slot slot = imports.slots[i];
		if (!has_slot(info, slot.place) || *slot.place != slot.wrapper)
			continue;
		imports.slots[i] = imports.slots[*count];
		imports.slots[(*count)++] = slot;
	}
	return 0;
}

/* Objects that were unloaded have taken their slots with them; another one may lie there now. */
static void forget_gone(void)
{
	uint32_t count = 0;

	direct.dl_iterate_phdr(keep, &count);
	imports.count = count;
}

int imports_are_stale(void)
{
	return import_counts_are_stale(&imports.counts);
}

long imports_redirect(void)
{
	uint32_t before;

	if (!imports.own.symbols && !direct.dl_iterate_phdr(find_own, NULL))
		return -ENOEXEC;
	imports.is_short = false;
	forget_gone();
	direct.dl_iterate_phdr(want_all, NULL);
	see_all();
	before = imports.count;
	direct.dl_iterate_phdr(change_all, NULL);
	return imports.is_short ? -ENOMEM : (long)(imports.count - before);
}

static int restore(struct dl_phdr_info *info, size_t unused, void *restored)
{
	struct dynamic_table table;

	(void)unused;
	dynamic_table_read(info, &table);
	for (uint32_t i = 0; i < imports.count; i++) {
		const struct slot *slot = &imports.slots[i];
		if (has_slot(info, slot->place) && *slot->place == slot->wrapper)
			*(long *)restored += import_slot_store(&table, slot->place, slot->was);
	}
	import_slots_close(&table);
	return 0;
}

long imports_restore(void)
{
	long restored = 0;

	direct.dl_iterate_phdr(restore, &restored);
	if (imports.slots)
		pages_free(imports.slots, imports.room * sizeof *imports.slots);
	imports.slots = NULL;
	imports.count = imports.room = 0;
	return restored;
}
