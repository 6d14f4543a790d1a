/* SPDX-License-Identifier: MIT */
#include "preload/samples/relay_entries.h"

#define EIGHT(use, digits)                                                                         \
	use(digits##0) use(digits##1) use(digits##2) use(digits##3) use(digits##4) use(digits##5)  \
		use(digits##6) use(digits##7)

/* Octal numbers, 0000 to 0177. */
#define ALL(use)                                                                                   \
	EIGHT(use, 000)                                                                            \
	EIGHT(use, 001)                                                                            \
	EIGHT(use, 002)                                                                            \
	EIGHT(use, 003)                                                                            \
	EIGHT(use, 004)                                                                            \
	EIGHT(use, 005)                                                                            \
	EIGHT(use, 006)                                                                            \
	EIGHT(use, 007)                                                                            \
	EIGHT(use, 010)                                                                            \
	EIGHT(use, 011)                                                                            \
	EIGHT(use, 012)                                                                            \
	EIGHT(use, 013)                                                                            \
	EIGHT(use, 014)                                                                            \
	EIGHT(use, 015)                                                                            \
	EIGHT(use, 016)                                                                            \
	EIGHT(use, 017)

/* A jump, in optimized code: no frame. */
#define ENTRY(index)                                                                               \
	static void entry_##index(int number, siginfo_t *info, void *context)                      \
	{                                                                                          \
		relay_entered(index, (uint64_t)__builtin_dwarf_cfa(), number, info, context);      \
	}

ALL(ENTRY)

#define ADDRESS(index) [index] = entry_##index,

static sample_signal_handler *const entries[] = {ALL(ADDRESS)};

_Static_assert(sizeof entries / sizeof *entries == RELAY_ENTRIES, "one routine for each");

sample_signal_handler *relay_entry(unsigned index)
{
	return entries[index];
}

int relay_entry_of(sample_signal_handler *handler)
{
	for (int i = 0; i < RELAY_ENTRIES; i++)
		if (entries[i] == handler)
			return i;
	return -1;
}
