/* SPDX-License-Identifier: MIT */
/* What the files of names share: names.c has routines and modules, names_frames.c call
 * paths, names_generated.c code in no module. */
#pragma once

#include "analyze/model/common/names.h"

struct keyed_table;
struct perf_map;
struct tail_calls;
struct tail_frames;
struct text_set;

/* The routines at one address of a module, the same for all profiles. */
struct names_frames {
	const struct symbol_module *module;
	uint64_t address;
	const struct tail_frames *missing; /* that follow and left no trace; NULL: none */
	size_t count;
	struct frame *frames; /* NULL: not looked up yet */
};

/* What is known so far of the current profile; NULL: not looked up yet. */
struct names_profile {
	const struct profile *profile;
	struct symbol_module **modules;
	const struct names_frames **callpaths;
	const struct names_frames **ends;
	bool has_tail_calls; /* they know its objects */
	bool has_map;        /* it was looked for */
	struct perf_map *map;
	struct names_attached {
		void *data;
		void (*release)(void *);
	} attached[NAMES_ATTACHMENTS];
};

struct names {
	struct symbolizer *symbolizer;
	struct text_set *texts;
	struct names_profile at_hand;
	struct keyed_table *routines; /* struct routine, by their names */
	struct keyed_table *frames;   /* struct names_frames */
	struct line_spans *line_spans;
	struct tail_calls *tail_calls;
	bool knows_python;                    /* some profile has names of Python's functions */
	const struct symbol_module **modules; /* from which names were looked up */
	size_t module_count, module_capacity;
};

/* Usually the profile is the same as that of the last lookup. */
struct names_profile *names_find_profile(struct names *names, const struct profile *profile);
/* The profile's object of that index. */
struct symbol_module *names_find_module(struct names *names, struct names_profile *known,
					size_t index);

/* The routine at an address of code in no module, as the program has listed it; false: it has not.
 * The place lives until the names forget the profile. */
bool names_generated(struct names_profile *known, uint64_t address, struct symbol_place *place);
