/* SPDX-License-Identifier: MIT */
/* The sums of a profile by what a user knows: routines, waits, MPI calls, objects of input and
 * output; and those that grew most, with their names. Context: pure but for names. */
#pragma once

#include "analyze/live/live_frame.h"
#include "analyze/model/common/names.h"

/* Adds up the profile. now_ns: waits that are under way count up to then; 0: they do not, since the
 * process has ended. */
void live_rows_add(struct live_sums *sums, struct names *names, const struct profile *profile,
		   uint64_t now_ns);

/* Appends to the frame the `most` rows of each kind that grew most. Called while the profile is
 * there; texts are kept by the names. */
void live_rows_name(const struct live_sums *sums, struct names *names,
		    const struct profile *profile, size_t most, struct live_frame *frame);

/* Unites rows of several processes that have the same names, and orders them. */
void live_rows_unite(struct live_frame *frame, size_t most);

/* The name of an object, as reports have it; owned by the names. */
const char *live_object_name(struct names *names, const struct profile *profile, size_t object,
			     uint64_t operation);
/* "f (x.c:12)"; NULL: unknown. */
const char *live_place_name(struct names *names, const struct profile *profile, size_t callpath);
