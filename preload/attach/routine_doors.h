/* SPDX-License-Identifier: MIT */
/* Leads calls of the routines that the user named as sections (--section-routine) to their doors:
 * the imports of all loaded objects by these names (imports.h says which slots are changed). Calls
 * within one object are not seen. Context: one thread at a time, in no signal handler; takes the
 * loader's locks. */
#pragma once

/* Of the objects that are loaded now; and from then on of those that come later, when a thread is
 * created, and after long waits. */
void routine_doors_open(void);

/* At the end: notes the routines that no object imported. */
void routine_doors_note(void);
