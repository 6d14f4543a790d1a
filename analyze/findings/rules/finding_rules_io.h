/* SPDX-License-Identifier: MIT */
/* Rules on input and output: waiting for it, and too many calls for what they transfer. NAN: does
 * not apply. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

struct run;

/* Adds the routine that most often read or wrote little of objects of that kind, and the object; of
 * pipes it is one that wrote. kind: as "pipe"; NULL: of all. */
void finding_add_small_io(const struct run *run, struct finding *finding, const char *kind);

double judge_small_io(const struct run *run, struct finding *finding);
double judge_io(const struct run *run, struct finding *finding);
