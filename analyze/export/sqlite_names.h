/* SPDX-License-Identifier: MIT */
/* The tables of a database that profiles do not have: names of code and locks, the words for
 * numbers, the lives of processes, and the run as a whole. Context: one thread. */
#pragma once

#include "analyze/export/sqlite_store.h"
#include "analyze/model/run/run.h"

struct sqlite_names;

/* Creates the tables and adds what the model knows. */
struct sqlite_names *sqlite_names_create(struct sqlite_store *store, const struct run *run);
void sqlite_names_add(struct sqlite_names *names, const struct profile *profile,
		      const struct process *process);
/* Writes the rows that are numbered over the whole run, and releases. */
void sqlite_names_finish(struct sqlite_names *names);

/* Has one of these tables, or a view, this name? */
bool sqlite_names_has(const char *name);
