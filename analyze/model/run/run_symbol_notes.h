/* SPDX-License-Identifier: MIT */
/* Notes on names: debugging information that cannot be read (symbols/symbol_lack.h), routines
 * without names, and routines that left no frame on the stack, and are in call paths all the same
 * (symbols/tail_calls.h). Context: after all names have been looked up. */
#pragma once

#include "analyze/model/run/run.h"

/* What cannot be read; a merged run has it from its parts. */
void run_note_lacks(struct text_list *notes, const struct names *names);
void run_note_inferred(struct run *run);
/* Is it that note? Where call paths have the routines, nothing is missing for who reads them. */
bool run_note_is_inferred(const char *note);
/* Objects in which much of the CPU time went to routines without names, and where names can be had.
 */
void run_note_nameless(struct run *run);
/* Generated code, and what Python interprets: how a program tells the names. */
void run_note_generated(struct run *run);
