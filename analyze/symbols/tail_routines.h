/* SPDX-License-Identifier: MIT */
/* Routines of all loaded objects, and where they go on to by tail calls.
 *
 * A routine has one number, whether it is met by an address, by a declaration in another unit or by
 * its name in another object; outlined parts and copies that a compiler made of it (`.cold`,
 * `.part.0`, `.constprop.0`) count as the routine. All calls that the profiler records are the one
 * routine TAIL_WRAPPED. Context: the analyzer, one thread; what was read stays. */
#pragma once

#include "analyze/symbols/call_sites.h"
#include "analyze/symbols/symbolize.h"
#include "analyze/symbols/tail_graph.h"

enum { TAIL_WRAPPED = 0 };
/* Into a library that does not come back to the program; it may well go on to its own routines. */
#define TAIL_NOWHERE (SIZE_MAX - 1)

/* What the room above knows of objects, by path, and of routines, by linkage name. */
struct tail_rules {
	bool (*is_profiler)(const char *path);
	bool (*is_runtime)(const char *path);     /* jumps to nothing of the program */
	bool (*is_wrapped)(const char *routine);  /* the profiler records calls of it */
	bool (*is_dead_end)(const char *routine); /* of a runtime, which may not be loaded */
};

struct tail_jump {
	size_t to;   /* a routine's number, or TAIL_ANYWHERE */
	uint64_t at; /* an address in the instruction */
};

struct tail_jumps {
	struct symbol_module *module; /* the code's */
	const struct tail_jump *list;
	size_t count;
	bool is_known;  /* false: nothing tells where it goes on to */
	bool is_system; /* the code is a system library's */
};

struct tail_routines;

struct tail_routines *tail_routines_create(const struct tail_rules *rules);
void tail_routines_destroy(struct tail_routines *routines);

/* The objects in which a routine may lie that is in another one than its caller. True: they are
 * others than so far, and what was numbered is forgotten. The list is copied. */
bool tail_routines_use(struct tail_routines *routines, struct symbol_module *const *modules,
		       size_t count);

/* The number of a module among those in use, from 1 on; 0: none of them, or NULL. */
uint32_t tail_routines_object(const struct tail_routines *routines,
			      const struct symbol_module *module);

/* The routine with code at an address; TAIL_ANYWHERE: not known. */
size_t tail_routines_at(struct tail_routines *routines, struct symbol_module *module,
			uint64_t address);

/* The routine that was called by the instruction in front of a return address; TAIL_ANYWHERE: not
 * known. is_open: nor in any other process; the call is by pointer, or nothing describes it. */
size_t tail_routines_called(struct tail_routines *routines, struct symbol_module *module,
			    uint64_t return_address, bool *is_open);

struct tail_jumps tail_routines_jumps(struct tail_routines *routines, size_t routine);
