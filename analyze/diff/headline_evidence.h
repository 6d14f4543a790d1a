/* SPDX-License-Identifier: MIT */
/* Evidence (evidence.h) and figures that decide by themselves, in the first line. Context: pure. */
#pragma once

#include "analyze/diff/change.h"

/* What decides where neither time of the run nor a routine's does: "new: verify (job.c:13), 11 % of
 * the CPU time"; NULL: nothing. Released by the caller. */
char *headline_decided(const struct changes *changes);
/* The first evidence that decides, in the direction of the run; NULL: none does. */
const struct change *headline_evidence(const struct changes *changes);
/* What is evidence, though it does not decide: "; new: verify (job.c:13), ..."; "" if there is
 * none. Released by the caller. */
char *headline_beside(const struct changes *changes);
