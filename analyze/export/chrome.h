/* SPDX-License-Identifier: MIT */
/* A Chrome trace while it is written, and its parts.
 *
 * A process of the run has number index + 1 in the trace, since images of one pid, and equal pids
 * of two hosts, are different processes. Process 0, here with the index CHROME_RUN, is the run.
 * Instants are microseconds since the start of the first process, on the clock of the first host.
 * Context: one thread; parts are written in any order. */
#pragma once

#include "analyze/export/chrome_collectives.h"
#include "analyze/export/export.h"
#include "analyze/model/threads/thread_time.h"

#define CHROME_RUN ((size_t)-1)

struct chrome {
	struct export *export;
	FILE *out;
	const char *separator;
	int64_t *offset_of; /* by process: to be added to its instants */
	int64_t start_ns;   /* of the run, on the first host's clock */
	struct chrome_collectives *collectives;
	uint64_t arrows;
};

void chrome_read_clocks(struct chrome *chrome);
/* An instant of a process, in nanoseconds of the trace. */
int64_t chrome_instant(const struct chrome *chrome, size_t process, uint64_t ns);

/* Begins an event, up to its name; the caller adds fields and the closing brace. */
void chrome_begin_event(struct chrome *chrome, char phase, size_t process, uint64_t thread,
			const char *name);
/* Adds a field `,"key":microseconds`. A damaged profile may have instants before the run, and
 * Perfetto would drop such events: the instant becomes the start of the trace. */
void chrome_put_instant(struct chrome *chrome, const char *key, int64_t ns);
/* The first of an event's args: `"key":"text"`, and the user's place of a call path. */
void chrome_put_text(struct chrome *chrome, const char *key, const char *text);
void chrome_put_place(struct chrome *chrome, const struct profile *profile, size_t callpath);
/* what: "process_name" or "thread_name". */
void chrome_name_track(struct chrome *chrome, const char *what, size_t process, uint64_t thread,
		       const char *name);

/* The parts. */
void chrome_write_process(struct chrome *chrome, const struct process *process);
void chrome_write_threads(struct chrome *chrome, const struct profile *profile,
			  const struct process *process);
void chrome_write_lines(struct chrome *chrome, const struct profile *profile,
			const struct process *process);
void chrome_write_run_lines(struct chrome *chrome);
void chrome_write_collectives(struct chrome *chrome, const struct profile *profile,
			      const struct process *process);
