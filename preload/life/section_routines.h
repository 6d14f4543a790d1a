/* SPDX-License-Identifier: MIT */
/* Routines that the user named as sections (--section-routine): calls of them from other objects
 * pass a door (wrap/section_door_ARCH.c), which calls these two around them. Context: own thread;
 * errno stays. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/stacks/site.h"

enum {
	SECTION_ROUTINES = 16,
	SECTION_DOOR_BYTES = 16,     /* from one door to the next */
	SECTION_ROUTINE_WORDS = 128, /* of arguments on the stack that are passed on */
};

struct section_routine {
	const char *name;
	uint64_t original; /* set before the first call comes */
};

extern struct section_routine section_routines[SECTION_ROUTINES];
extern unsigned section_routine_count;

/* The names that the user gave, separated by commas: they are kept. Returns their number; those
 * beyond SECTION_ROUTINES are left out. */
unsigned section_routines_set(const char *names);

/* Instrumented ones (-finstrument-functions): DEVICE:INODE of the program's file, and for each a
 * ,NAME@ADDRESS in it; numbers are hexadecimal. Nothing happens in another program. */
void section_hooks_set(const char *text);

extern unsigned section_hook_count; /* 0: no hook has to look */
bool section_hook_is_set(const char *name);
void section_hook_enter(uint64_t routine, const struct site *site);
void section_hook_leave(uint64_t routine, const struct site *site);

/* For the doors. frame: of the door: saved frame pointer, return address, arguments. Which routine
 * to call, and how many words of arguments on the stack to pass on, an even number: all that a call
 * may have, as far as they can be read. */
struct section_routine_call {
	uint64_t original, words;
};
struct section_routine_call section_routine_enter(uint64_t number, const uint64_t *frame);
void section_routine_leave(uint64_t number, const uint64_t *frame);
