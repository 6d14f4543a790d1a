/* SPDX-License-Identifier: MIT */
/* From call paths of a profile to frames with names, and routines with numbers that hold for all
 * processes of a run.
 *
 * A routine is identified by its name, module and source file. An inlined routine is one of its
 * own; all code of the profiler's library is the one routine "[profiler]"; marks in a profile
 * ("[truncated]") take the place of routines. Context: one thread; the symbolizer is asked only for
 * what is asked for here, and once. Everything lives as long as the names. */
#pragma once

#include "analyze/model/common/line_spans.h"
#include "analyze/read/profile.h"
#include "analyze/symbols/symbolize.h"

struct names;
struct text_set;

/* The routine that stands for all of libptrace.so, and the object that the kernel maps into every
 * process. */
#define NAMES_PROFILER "[profiler]"
#define NAMES_VDSO     "[vdso]"
/* Code in no module that the program has not listed (symbols/perf_map.h). */
#define NAMES_GENERATED "[generated code]"
/* The module of all routines of Python; and the one for which a profile had no room. */
#define NAMES_PYTHON       "[Python]"
#define NAMES_PYTHON_OTHER "[other Python code]"
/* The body of an OpenMP region that ended in a jump to the call, in a thread of which nothing but
 * the runtime is left on the stack. */
#define NAMES_REGION "[OpenMP region]"

struct routine {
	const char *name;
	const char *module; /* path of the object file, "" for none */
	const char *file;   /* source file, NULL if unknown */
	bool is_runtime;    /* of the language's runtime or the system's thread library: not where a
			       user would look */
	bool is_inlined;    /* inlined somewhere: its code is part of other routines there */
	bool is_inferred;   /* left no frame somewhere: symbols/tail_calls.h */
	bool is_python;     /* a function of Python: NAMES_PYTHON */
	bool is_interpreter; /* C code of Python's interpreter */
	bool is_profiler;    /* NAMES_PROFILER */
	bool is_libc;        /* of the C library */
	bool is_lock_call;   /* of it, for a lock or another thread: runtime_code.h */
	bool is_machinery; /* of the profiler or an OpenMP runtime: between a region and its body it
			      calls nothing of its own */
	bool is_mpi;       /* of an MPI library, or of libraries below it */
	bool is_parallel;  /* of an OpenMP runtime or an MPI library: what they call is no serial
			      part of the program */
};

struct frame {
	size_t routine;   /* number */
	unsigned line;    /* 0: unknown */
	unsigned begin;   /* where the routine is declared; 0: unknown */
	bool is_inferred; /* it left no frame on the stack: symbols/tail_calls.h */
};

/* The symbolizer belongs to the caller and must live longer. */
struct names *names_create(struct symbolizer *symbolizer);
void names_destroy(struct names *names);
/* Profiles are asked about one at a time; before one is destroyed, the names must forget it. */
void names_forget(struct names *names);

/* The frames of one node of the calling-context tree, the innermost inlined one first; none for
 * call path 0. Routines that were between it and its parent, and ended in a jump to it, come last:
 * those are inferred. */
size_t names_frames(struct names *names, const struct profile *profile, size_t callpath,
		    const struct frame **frames);

/* What is inward of a whole call path at whose end a call was recorded: routines that ended in a
 * jump to that call. Mostly none. */
size_t names_end_frames(struct names *names, const struct profile *profile, size_t callpath,
			const struct frame **frames);

/* The innermost frame of a whole call path that a user would recognise: frames in the libraries
 * that implement locks are skipped. If there are only those, the innermost frame that is not the
 * profiler's, or NAMES_REGION; NULL for call path 0. */
const struct frame *names_user_frame(struct names *names, const struct profile *profile,
				     size_t callpath);

/* The routine that begins at the address, with the line of its first instruction in the line table:
 * for an outlined function of an OpenMP construct that is the line of the construct. */
struct frame names_entry(struct names *names, const struct profile *profile, size_t callpath);

/* Is the innermost address of a call path in a loop that does nothing but wait, in code that is not
 * a runtime's? */
bool names_is_waiting(struct names *names, const struct profile *profile, size_t callpath);

/* Is the innermost address of a call path at an atomic instruction, or just behind it? Not in
 * runtimes that wait with such instructions: OpenMP's, MPI's, Python's, and the profiler. */
bool names_is_atomic(struct names *names, const struct profile *profile, size_t callpath);

/* Name of a static object, NULL if unknown. */
const char *names_data(struct names *names, const struct profile *profile, size_t module,
		       uint64_t offset);

enum names_attachment { NAMES_ROLES, NAMES_REQUEST_WAITS, NAMES_ATTACHMENTS };

/* What another module has derived from the current profile, kept until the names forget it; NULL at
 * first. release: the function that frees it. */
void **names_attachment(struct names *names, const struct profile *profile,
			enum names_attachment which, void (*release)(void *));

/* The number of a pseudo-routine such as "[unsampled]". */
size_t names_special(struct names *names, const char *name);

/* The number of a routine by name, module and file (may be NULL); and how many there are. */
size_t names_number(struct names *names, const char *name, const char *module, const char *file);
size_t names_count(const struct names *names);

void names_set_inlined(struct names *names, size_t routine);
void names_set_inferred(struct names *names, size_t routine);

const struct routine *names_routine(const struct names *names, size_t routine);
/* Lines that are one entry, as far as addresses were asked for. */
void names_unite_lines(struct names *names, const struct line_span *span);
const struct line_spans *names_line_spans(const struct names *names);

/* An order of routines that does not depend on the order in which they were met: by name, module,
 * file. */
int names_compare(const struct names *names, size_t a, size_t b);
/* "f (x.c:12)", or "f" where no file is known; released by the caller. */
char *names_place_text(const struct names *names, size_t routine, unsigned line);

/* A copy of the text that lives as long as the names; equal texts are stored once. */
const char *names_keep(struct names *names, const char *text);
struct text_set *names_texts(struct names *names);

/* What is there and cannot be read (symbols/symbol_lack.h), and problems of modules whose symbols
 * could not be read, from index 0; NULL after the last. */
const char *names_module_lack(const struct names *names, size_t index);
const char *names_module_problem(const struct names *names, size_t index);

/* False: the object with that path has one of these problems. */
bool names_has_file(const struct names *names, const char *path);

/* Of the object with that path, if there is only one: its build-id, and the text of a source file
 * in its debugging information. NULL: none. */
const char *names_build_id(const struct names *names, const char *path);
const char *names_source(const struct names *names, const char *path, const char *file);
