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
	struct keyed_table *io_calls;   /* synchronization_io.c */
	const struct profile *profile;  /* at hand */
	size_t process;                 /* its process: index + 1 */
	const struct request_waits *requests; /* its waits for the next request */
	size_t *object_of; /* index + 1 in result.objects for each object of the profile, 0: not
			      asked yet */
};

/* The tables of objects, rows and sites (synchronization_rows.c). */
void sync_create_rows(struct synchronization_accumulator *accumulator);
void sync_destroy_rows(struct synchronization_accumulator *accumulator);

/* The index in the result of the object of that kind and stem, and of the row of an object and an
 * operation; it is new where there was none. The accumulator has the object from then on. */
size_t sync_number_object(struct synchronization_accumulator *accumulator,
			  struct sync_object object);
size_t sync_number_row(struct synchronization_accumulator *accumulator, size_t object,
		       enum operation operation);

/* The same object and row for an object of the profile at hand, counting its process; and a place
 * of a row. */
size_t sync_find_object(struct synchronization_accumulator *accumulator, size_t object,
			enum operation operation);
size_t sync_find_row(struct synchronization_accumulator *accumulator, size_t object,
		     enum operation operation);
struct sync_site sync_site_of(struct synchronization_accumulator *accumulator, size_t callpath,
			      uint64_t count, uint64_t time_ns);

/* Before the waits of that time are added to the row. */
void sync_add_cause(struct sync_row *row, enum cause cause, uint64_t wait_ns);

/* Adds to the place of its row that waited, or was waited for. */
void sync_add_site(struct synchronization_accumulator *accumulator, const struct sync_site *site);

/* Calls of input and output (synchronization_io.c). Rows must be in the order in which they were
 * added when they are finished. */
struct keyed_table *sync_create_io(void);
void sync_add_io(struct synchronization_accumulator *accumulator);
void sync_write_io(const struct synchronization_accumulator *accumulator,
		   struct merged_writer *writer);
void sync_read_io(struct synchronization_accumulator *accumulator,
		  const struct merged_input *input);
void sync_finish_io(struct synchronization_accumulator *accumulator);
