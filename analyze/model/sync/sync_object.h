/* SPDX-License-Identifier: MIT */
/* Names for what threads wait for, the same in all processes of a run.
 *
 * What the program named itself (ptrace_name) has that name (named_memory.h). Otherwise a static
 * object is named by its symbol, a heap object by the routine and line where it was initialised or
 * first used (a futex that a library uses: where it was waited for), a join by the role of the
 * threads (thread_role.h), what a descriptor stands for by its path or address, if it has one.
 * Objects of the same kind and name are one object, whichever process they belong to. Context: pure
 * but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/tables/merged.h"

/* The name of CPython's global interpreter lock. */
#define SYNC_GIL "the GIL"

/* Columns: merged.def. kind: "call" for calls without an object, such as sleep; created_at: NULL:
 * unknown; first_process: the one that has the address. Texts are kept by the names. */
struct sync_object {
	struct merged_sync_objects;
	bool is_shared;              /* by processes: each has it among its objects */
	uint64_t members_of_process; /* of those that are shared, in the process read last */
	size_t last_process;         /* index + 1 of the process that was counted last */
};

/* Sets everything but processes and last_process. operation: a call on the object, which tells its
 * kind where the row does not. */
struct sync_object sync_object_of(struct names *names, const struct profile *profile, size_t object,
				  enum operation operation);

/* "mutex created at main (x.c:12)", "4 mutexes created at ...", "queue_lock"; released by the
 * caller. */
char *sync_object_name(const struct sync_object *object);
