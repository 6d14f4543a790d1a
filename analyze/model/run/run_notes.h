/* SPDX-License-Identifier: MIT */
/* What a reader of the report must know about what it does not show, the most important first. An
 * accumulator (accumulator.h). Context: pure but for names. */
#pragma once

#include "analyze/model/run/run.h"

struct run_notes_accumulator;
struct merged_writer;
struct merged_input;

struct run_notes_accumulator *run_notes_accumulator_create(struct names *names);
/* Adds threads that still waited, notes of the profile, and conservation laws that it violates. */
void run_notes_accumulator_add(struct run_notes_accumulator *accumulator,
			       const struct profile *profile, const struct process *process);
/* Merged runs (tables/merged.h). Problems of files and modules are kept as well. */
void run_notes_accumulator_write(const struct run_notes_accumulator *accumulator,
				 const struct run *run, struct merged_writer *writer);
void run_notes_accumulator_read(struct run_notes_accumulator *accumulator, struct run_files *files,
				const struct merged_input *input);
/* Writes into run->notes how processes ended, what could not be read, and what was added. */
void run_notes_accumulator_finish(struct run_notes_accumulator *accumulator, struct run *run);

/* Modules without symbols; to be called when all names have been looked up. */
void run_notes_add_names(struct run *run);
