/* SPDX-License-Identifier: MIT */
/* A pool of processes whose items are too small: to pass one takes longer than to work on it.
 * Context: pure but for names. */
#pragma once

struct finding;
struct run;

double judge_tiny_items(const struct run *run, struct finding *finding);
