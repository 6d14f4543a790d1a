/* SPDX-License-Identifier: MIT */
/* The first line: what changed most, and why it matters, in plain words.
 *
 * Named as the cause is, of the changes that count and have the direction of elapsed time, the one
 * with the largest effect, limited to the change of elapsed time; a routine, or work that is
 * distributed otherwise (sharing.h), precedes a wait that is not more than twice as large, since
 * threads wait longer for whoever computes longer. More processors in use are not a cause. Context:
 * pure. */
#pragma once

#include "analyze/diff/change.h"

/* Released by the caller. */
char *headline_text(const struct changes *changes, const struct side sides[2]);
/* The change that it names as the cause; NULL: none. */
const struct change *headline_cause(const struct changes *changes);
