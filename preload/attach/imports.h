/* SPDX-License-Identifier: MIT */
/* Leads the imports of all loaded objects to our wrappers, and back.
 *
 * A slot is changed if it holds what the whole program sees by that name and version, or is not
 * bound yet; or if the whole program sees nothing by that name (a library that is visible to its
 * users alone, as MPI is in Python), or is a call of ptrace.h that found no profiler. Any other
 * value is another tool's, or the program's own function of that name, and stays. Never those of
 * libc, of the loader, and of this library. Function pointers that the program stored earlier are
 * not seen, nor calls within one object.
 *
 * Context: one thread at a time, in no signal handler; takes the loader's locks. Other threads run
 * on: a slot is one store, and its page is written by nobody else. */
#pragma once

#include <stdint.h>

/* All objects as they are now; again for what was loaded since. Returns the number of slots that
 * were changed; -ENOMEM: not all could be remembered, and the rest was left. */
long imports_redirect(void);

/* Whether the loader's list has changed since imports_redirect. */
int imports_are_stale(void);

/* Every slot gets back what it had, if its object is still there and nobody has changed it since.
 * Returns how many did. */
long imports_restore(void);
