/* SPDX-License-Identifier: MIT */
/* The rule on OpenMP teams within teams: each member of the outer one starts a team of its own, so
 * that there are outer x inner threads at once. Context: pure. */
#pragma once

#include "analyze/findings/where/finding.h"

#include <stdbool.h>

struct run;

double judge_nested_teams(const struct run *run, struct finding *finding);

/* Were there more threads at once, in such teams, than processors? */
bool has_nested_teams(const struct run *run);
