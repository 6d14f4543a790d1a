/* SPDX-License-Identifier: MIT */
/* Who waited for what, how long, and who kept them waiting: a row for each object and operation.
 *
 * count      all calls; contended: those that waited; a wait that was not over when the process
 * ended counts in both wait_ns    time in waits; max: the longest waiters    wait_ns by the routine
 * and line of the user's code that waited blame      wait_ns by the routine and line that kept them
 * waiting: the sums are equal, or the profile is wrong, which synchronization_of says in notes
 * Context: pure but for names. Times in nanoseconds. */
#pragma once

#include "analyze/model/sync_object.h"
#include "analyze/text_list.h"

struct process;

struct sync_site {
	size_t routine; /* number in names */
	unsigned line;
	uint64_t count;
	uint64_t time_ns;
};

struct sync_sites {
	struct sync_site *rows; /* the most time first */
	size_t count, capacity;
};

struct sync_row {
	size_t object; /* index in objects */
	enum operation operation;
	enum cause cause; /* of its waits; CAUSE_OTHER if it never waited */
	uint64_t count, contended;
	uint64_t wait_ns, wait_max_ns;
	uint64_t reacquire_ns, spurious, futile, timeouts,
		failed; /* the first three: of conditions */
	size_t processes;
	const struct profile *last_profile;
	struct sync_sites waiters, blame;
};

struct synchronization {
	struct sync_object *objects;
	char **names; /* of the objects */
	size_t object_count, object_capacity;
	struct sync_row *rows; /* the most waiting time first */
	size_t count, capacity;
	uint64_t wait_ns_by_cause[CAUSE_LIMIT];
};

struct synchronization synchronization_of(struct names *names, const struct process *processes,
					  size_t process_count, struct text_list *notes);
void synchronization_clear(struct synchronization *synchronization);
