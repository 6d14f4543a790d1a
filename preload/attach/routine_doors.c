/* SPDX-License-Identifier: MIT */
#include "preload/attach/routine_doors.h"

#include "preload/attach/import_slots.h"
#include "preload/base/direct.h"
#include "preload/file/note.h"
#include "preload/life/section_routines.h"
#include "preload/process/entry.h"
#include "preload/process/settings.h"

#include <string.h>

static struct {
	bool is_open[SECTION_ROUTINES]; /* a slot leads to its door */
	struct import_counts counts;
	int is_looking; /* atomic */
} doors;

/* One behind the other: wrap/section_door_ARCH.c. */
extern char section_doors[] __attribute__((visibility("hidden")));

static uint64_t door_of(int number)
{
	return (uint64_t)section_doors + (uint64_t)number * SECTION_DOOR_BYTES;
}

/* Where the name is not defined yet, its library may be loaded later. */
static void find_originals(void)
{
	for (unsigned i = 0; i < section_routine_count; i++)
		if (!section_routines[i].original)
			section_routines[i].original =
				(uint64_t)entry_behind(section_routines[i].name, NULL);
}

static int number_of(const char *name)
{
	for (unsigned i = 0; i < section_routine_count; i++)
		if (section_routines[i].original && !strcmp(section_routines[i].name, name))
			return (int)i;
	return -1;
}

static void look_at(const struct dynamic_table *table, const ElfW(Rela) * relocation)
{
	int number = import_slot_is(table, relocation)
			     ? number_of(import_slot_name(table, relocation))
			     : -1;

	if (number < 0)
		return;
	uint64_t *place = import_slot_place(table, relocation);
	uint64_t value = __atomic_load_n(place, __ATOMIC_RELAXED);
	if (value != section_routines[number].original &&
	    !import_slot_is_unbound(table, relocation, value))
		return; /* another one's of that name, or the door already */
	if (import_slot_store(table, place, door_of(number)))
		doors.is_open[number] = true;
}

static int look_at_all(struct dl_phdr_info *info, size_t unused, void *unused_too)
{
	struct dynamic_table table;

	(void)unused;
	(void)unused_too;
	import_counts_note(&doors.counts, info);
	if (!dynamic_table_read(info, &table) || import_slots_are_left_alone(&table))
		return 0;
	for (int kind = 0; kind < 2; kind++)
		for (size_t i = 0; i < table.counts[kind]; i++)
			look_at(&table, &table.relocations[kind][i]);
	import_slots_close(&table);
	return 0;
}

static void look(void)
{
	find_originals();
	direct.dl_iterate_phdr(look_at_all, NULL);
}

/* The thread may hold locks of the program, so it waits for none of ours. */
static void follow(void)
{
	if (__atomic_exchange_n(&doors.is_looking, 1, __ATOMIC_ACQUIRE))
		return;
	if (import_counts_are_stale(&doors.counts))
		look();
	__atomic_store_n(&doors.is_looking, 0, __ATOMIC_RELEASE);
}

void routine_doors_open(void)
{
	if (settings.section_hooks)
		section_hooks_set(settings.section_hooks);
	if (!settings.section_routines || !section_routines_set(settings.section_routines))
		return;
	look();
	entry_follow = follow;
}

void routine_doors_note(void)
{
	for (unsigned i = 0; i < section_routine_count; i++)
		if (!doors.is_open[i] && !section_hook_is_set(section_routines[i].name))
			note_once(NOTE_SECTION_ROUTINE, i + 1);
}
