/* SPDX-License-Identifier: MIT */
/* From call paths of a profile to frames with names, and routines with numbers that hold for all
 * processes of a run.
 *
 * A routine is a name in a module and source file. An inlined routine is one of its own; all code
 * of the profiler's library is the one routine "[profiler]"; marks of a profile ("[truncated]")
 * stand in the place of routines. Context: one thread; asks the symbolizer only for what is asked
 * for here, once. Everything lives as long as the names. */
#pragma once

#include "analyze/read/profile.h"
#include "analyze/symbols/symbolize.h"

struct names;

/* The routine that all of libptrace.so is, and what the kernel maps into every process. */
#define NAMES_PROFILER "[profiler]"
#define NAMES_VDSO     "[vdso]"

struct routine {
	const char *name;
	const char *module; /* path of the object file, "" for none */
	const char *file;   /* source file, NULL if unknown */
	bool is_runtime; /* of the language's or the system's thread library: not where a user would
			    look */
	bool is_inlined; /* somewhere: its code lies in other routines there */
	bool is_machinery; /* of the profiler or an OpenMP runtime: between a region and its body,
			      it calls nothing of its own */
};

struct frame {
	size_t routine; /* number */
	unsigned line;  /* 0: unknown */
	unsigned begin; /* where the routine is declared; 0: unknown */
};

/* The symbolizer stays the caller's and must live longer. */
struct names *names_create(struct symbolizer *symbolizer);
void names_destroy(struct names *names);
/* Questions come profile by profile; before one is destroyed, the names must forget it. */
void names_forget(struct names *names);

/* The frames of one place of the calling-context tree, innermost inlined one first; none for call
 * path 0. */
size_t names_frames(struct names *names, const struct profile *profile, size_t callpath,
		    const struct frame **frames);

/* The innermost frame of a whole call path that a user would recognise: the libraries that
 * implement locks are skipped. Falls back to the innermost frame; NULL for call path 0. */
const struct frame *names_user_frame(struct names *names, const struct profile *profile,
				     size_t callpath);

/* The routine that begins at the place, with the line that its first instruction has in the line
 * table: of what a compiler has made of the body of an OpenMP construct, the construct's. */
struct frame names_entry(struct names *names, const struct profile *profile, size_t callpath);

/* Is the innermost place of a call path in a loop that does nothing but wait, of code that is not a
 * runtime's? */
bool names_is_waiting(struct names *names, const struct profile *profile, size_t callpath);

/* Name of a static object, NULL if unknown. */
const char *names_data(struct names *names, const struct profile *profile, size_t module,
		       uint64_t offset);

/* What others have found out of the profile at hand, kept until the names forget it; NULL at first.
 * release: how to let go of it. */
void **names_attachment(struct names *names, const struct profile *profile,
			void (*release)(void *));

/* The number of a routine that is no code, such as "[unsampled]". */
size_t names_special(struct names *names, const char *name);

/* The number of a routine by its names, file may be NULL; and how many there are. */
size_t names_number(struct names *names, const char *name, const char *module, const char *file);
size_t names_count(const struct names *names);

void names_set_inlined(struct names *names, size_t routine);

const struct routine *names_routine(const struct names *names, size_t routine);
/* An order of routines that does not depend on when they were met: by name, module, file. */
int names_compare(const struct names *names, size_t a, size_t b);
/* "f (x.c:12)", or "f" where no file is known; released by the caller. */
char *names_place_text(const struct names *names, size_t routine, unsigned line);

/* The same text for the life of the names, kept once however often it is asked for. */
const char *names_keep(struct names *names, const char *text);

/* Modules whose symbols could not be had, one after the other from index 0; NULL behind the last.
 */
const char *names_module_problem(const struct names *names, size_t index);
