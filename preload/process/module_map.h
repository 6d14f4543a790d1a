/* SPDX-License-Identifier: MIT */
/* Loaded objects: which one an address of code or data lies in, and its row in the table `modules`.
 *
 * Context: any thread, also signal handlers: built on _dl_find_object (glibc 2.35), which takes no
 * lock. An object gets its row when an address in it is first recorded. With an older glibc nothing
 * is found, and call paths have one place. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct code_object {
	uint64_t start;                 /* first mapped byte: the ELF header */
	uint64_t end;                   /* behind the last mapped byte */
	uint64_t base;                  /* load address */
	const char *name;               /* as the loader knows it; "" for the program itself */
	const uint8_t *eh_frame_header; /* its table of unwind information; NULL: none */
};

/* Start-up: remembers the objects that can never be unloaded, and the program's path. */
void module_map_start(void);

bool module_map_find(uint64_t address, struct code_object *object);

/* True if the object that holds the address was loaded at start-up, so that its addresses never
 * change their meaning. */
bool module_map_is_permanent(uint64_t address);

/* Identifies the object at an address, if one can be unloaded and another, or another build of it,
 * loaded in its place. 0: it cannot be unloaded, or there is no object. Takes some 50 ns. */
uint64_t module_map_identity(uint64_t address);

/* The same for an object that was found. */
uint64_t code_object_identity(const struct code_object *object);

/* Row of `modules` for an address, and its offset in that object's file; 0: no object (offset is
 * the address itself). */
uint16_t module_map_module(uint64_t address, uint64_t *offset);

/* The path of the running program. */
const char *module_map_program(void);

/* Whether the address is in this tool's own code. */
bool module_map_is_own(uint64_t address);

/* Fork child: rows of the parent's profile are not those of the child's. */
void module_map_reset(void);
