/* SPDX-License-Identifier: MIT */
/* The accumulator of sections, for the files of this room. Texts are kept by the names, so that
 * equal ones are one pointer. Rows of other tables name a section by its number among `sections`.
 */
#pragma once

#include "analyze/base/keyed_table.h"
#include "analyze/model/sections/sections.h"

/* A row of the tree; the first three columns are the key. */
struct section_entry {
	struct merged_sections;
	struct histogram lengths;
};

#define SECTION_ENTRY_KEY offsetof(struct section_entry, count)

struct section_longest_list;

struct sections_accumulator {
	struct names *names;
	struct keyed_table *sections;  /* struct section_entry */
	struct keyed_table *processes; /* struct merged_section_processes, by the first two */
	struct keyed_table *levels;    /* struct merged_section_levels, by the first three */
	struct keyed_table *waits;     /* struct merged_section_waits, by the first three */
	struct keyed_table *marks;     /* struct merged_marks, by name */
	struct section_longest_list *longest;
};

/* The row of a section, made if there is none; row: its parent (as a number + 1), kind and name. */
struct section_entry *sections_find(struct sections_accumulator *accumulator,
				    const struct merged_sections *row);
size_t sections_number(struct sections_accumulator *accumulator, const struct section_entry *entry);

/* A profile while it is added. Rows of its sections are known by the number of their entry + 1; 0:
 * none. */
struct adding {
	struct sections_accumulator *accumulator;
	const struct profile *profile;
	const struct process *process;
	size_t *numbers;
	struct section_entry *rest;
	struct rest_of_threads {
		uint64_t life_ns, cpu_ns, wait_ns[CAUSE_LIMIT];
	} threads; /* time in no section, so far */
};

/* Of a row of the profile's sections; NULL: it is none. */
struct section_entry *sections_entry(const struct adding *adding, uint64_t section);
struct profile_section;
enum section_kind sections_kind(const struct profile_section *row);
/* Is it within others, or may others be within it? */
bool sections_is_of_tree(const struct profile_section *row);
/* The name of an object of the profile; "" for none. */
const char *sections_object(const struct adding *adding, size_t object, uint64_t operation);

void sections_add_levels(const struct adding *adding);
void sections_add_longest(const struct adding *adding);

/* The accumulator while it is finished. */
struct finishing {
	const struct sections_accumulator *accumulator;
	struct sections *result;
	size_t *numbers; /* the row of each entry; SIZE_MAX: none */
	const struct section_entry **sorted;
	size_t *first;
};

/* Of the rows of the result, which are there in their order. */
void sections_set_figures(const struct finishing *finishing);
