/* SPDX-License-Identifier: MIT */
/* How this library came into the process: preloaded, before the program's first instruction, or
 * loaded into a program that runs (attach/). What differs for the second is asked here. */
#pragma once

#include <stdbool.h>

/* It was loaded late: nothing of the program is bound to our wrappers by the loader, what they
 * stand for is what the whole program sees, and the environment says nothing to us. Set by
 * entry_find. */
extern bool entry_is_late;

/* Start-up: libc stands before us in the loader's list if we were loaded by dlopen, and behind us
 * if we are preloaded, or linked. */
void entry_find(void);

/* Called when a thread is created, and after waits of a millisecond and more: objects may have been
 * loaded since. NULL: nobody wants to know. Set once. Not from signal handlers. */
extern void (*entry_follow)(void);

/* Where dlsym searches for that. It may find our own, too, if we were loaded late. */
void *entry_scope(void);

/* What is behind us by that name and version (NULL: any), which is never one of our own: behind
 * this library in the order of loading or, if it was loaded late, what the program's own objects
 * see; never the program's own file either. NULL: nothing. Takes the loader's lock; leaves an error
 * for dlerror. */
void *entry_behind(const char *symbol, const char *version);
