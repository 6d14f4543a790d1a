/* SPDX-License-Identifier: MIT */
/* The waits for one object, by whatever operation: a read-write lock is taken for reading and for
 * writing, a mutex with a time-out and without. Context: pure. */
#pragma once

#include <stdbool.h>

struct run;
struct sync_row;

/* A row summed with the other rows of its object for which is_of(causes): times, counts, and who
 * waited and who is to blame, with the most time first. Released by finding_object_free. */
struct sync_row *finding_object_waits(const struct run *run, const struct sync_row *row,
				      bool (*is_of)(const struct run *run,
						    const struct sync_row *row, unsigned causes),
				      unsigned causes);
void finding_object_free(struct sync_row *row);
