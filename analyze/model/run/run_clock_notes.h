/* SPDX-License-Identifier: MIT */
/* What a reader must know of the clocks of a run. Context: pure. */
#pragma once

struct run;

/* Processes of one host whose clocks differ. */
void run_note_clocks(struct run *run);
