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
	uint64_t first; /* address of dlopen's; 0: not found */
	int count;      /* of those that follow each other */
	uint64_t try_lock, unlock;
};

void loader_locks_prepare(struct loader_locks *locks, pid_t process, const struct object *libc);
bool loader_locks_are_held(const struct loader_locks *locks, pid_t process);

/* The stopped thread takes that of dlopen if nobody has it, and gives it back: in between it does
 * not wait for it. The others are held by others for moments alone. -EBUSY: one is held. */
int loader_locks_take(const struct loader_locks *locks, struct remote *remote);
int loader_locks_give(const struct loader_locks *locks, struct remote *remote);
