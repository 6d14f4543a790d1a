/* SPDX-License-Identifier: MIT */
/* The locks of the dynamic linker. Who holds one may wait for the thread that is stopped (in a
 * constructor of a library, in a callback of dl_iterate_phdr): it may not wait for the lock, then.
 *
 * They lie in data of the loader whose layout is no interface, and are found by what they look
 * like. Where they are not found, none is looked at. */
#pragma once

#include "object.h"
#include "remote.h"

#include <stdbool.h>

struct loader_locks {
	uint64_t global; /* address of the loader's data */
	uint64_t first;  /* of dlopen's lock; 0: not found */
	int count;       /* of those that follow each other */
	uint64_t try_lock, unlock;
};

void loader_locks_prepare(struct loader_locks *locks, pid_t process, const struct object *libc);
bool loader_locks_are_held(const struct loader_locks *locks, pid_t process);

/* The stopped thread takes that of dlopen if nobody has it, and gives it back: in between it does
 * not wait for it. The others are held by others for moments alone. -EBUSY: one is held. */
int loader_locks_take(const struct loader_locks *locks, struct remote *remote);
int loader_locks_give(const struct loader_locks *locks, struct remote *remote);

/* A remote_help for dlopen, whose context are the locks. dlopen waits for the list of all stacks,
 * and has the lock of thread-local storage; a thread that calls setuid or setgid has the list, and
 * waits for a thread that is being created; who creates that waits for the lock (glibc 2.34 and
 * later). None of them would ever go on. The list is all that dlopen waits for with that lock, and
 * at a place where thread-local storage is whole: so it lends the lock to whoever wants it. */
enum stop loader_locks_untangle(struct remote *remote, uint64_t limit_ns);
