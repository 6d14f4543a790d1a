/* SPDX-License-Identifier: MIT */
/* A profile of a named part of the run: what was recorded in a section, or phase, of a name, and in
 * the sections within it.
 *
 * Samples, waits, calls of MPI and samples of events carry the section's mark: others are left out.
 * Threads have the time and CPU time that their accounts of sections say (of a phase, which has
 * none: the CPU time of their samples, and the phase's elapsed time), and the process lasts for the
 * section's elapsed time. What cannot be divided is not there: T_i, switches, ready time, calls
 * that did not wait, holders, OpenMP, input and output. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

/* For each row of sections, whether it is the part, or within it; released by the caller. name: of
 * the section, or with those around it: "outer/inner". NULL: the profile has none of that name. */
bool *profile_within_find(const struct profile *profile, const char *name);

/* The tables of which rows are left out by their marks. */
bool profile_within_has_marks(const char *table);

/* Once they are. inside NULL: nothing is. */
void profile_within_restrict(struct profile *profile, const bool *inside);
