/* SPDX-License-Identifier: MIT */
/* The first line: what changed most, and why it matters, in plain words.
 *
 * The cause that is named is, of the changes that count and go the way of elapsed time, the one
 * with the largest effect, as far as elapsed time has changed; a routine, or work that is shared
 * out otherwise (sharing.h), before a wait that is not more than twice as large, since threads wait
 * longer for whoever computes longer. That more processors were in use is no cause. Context: pure.
 */
#pragma once

#include "analyze/diff/change.h"

/* Released by the caller. */
char *headline_text(const struct changes *changes, const struct side sides[2]);
/* The change that it names as the cause; NULL: none. */
const struct change *headline_cause(const struct changes *changes);
