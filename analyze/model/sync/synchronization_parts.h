/* SPDX-License-Identifier: MIT */
/* The accumulator of synchronization from the inside: for the files that fill it and take it to
 * merged runs. */
#pragma once

#include "analyze/model/sync/synchronization.h"

struct synchronization_accumulator {
	struct names *names;
	struct synchronization result;
	struct keyed_table *objects, *rows, *sites; /* by their keys; numbers are indices */
	struct sync_pairs_accumulator *pairs;
	const struct profile *profile; /* at hand */
	size_t process;                /* its process: index + 1 */
	size_t *object_of; /* index + 1 in result.objects for each object of the profile, 0: not
			      asked yet */
};

/* The index in the result of the object of that kind and stem, and of the row of an object and an
 * operation; it is new where there was none. The accumulator has the object from then on. */
size_t sync_number_object(struct synchronization_accumulator *accumulator,
			  struct sync_object object);
size_t sync_number_row(struct synchronization_accumulator *accumulator, size_t object,
		       enum operation operation);

/* Adds to the place of the row that waited, or was waited for. */
void sync_add_site(struct synchronization_accumulator *accumulator, size_t row, bool is_blame,
		   struct sync_site site);
