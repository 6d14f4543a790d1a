/* SPDX-License-Identifier: MIT */
/* A runtime with the tools interface that will not tell us anything. */
#pragma once

/* Start-up, after lifecycle_start: a note if that is so. A runtime that is loaded later is not
 * known yet. */
void ompt_absence_note(void);
