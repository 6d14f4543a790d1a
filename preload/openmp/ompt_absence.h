/* SPDX-License-Identifier: MIT */
/* A runtime with the tools interface that will report nothing to us. */
#pragma once

/* Start-up, after lifecycle_start: makes a note if there is one. A runtime that is loaded later is
 * not found. */
void ompt_absence_note(void);
