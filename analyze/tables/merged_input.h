/* SPDX-License-Identifier: MIT */
/* A merged file while it is read into a model. Its rows refer to each other by numbers of that
 * file; here they get the numbers of the model, and what a damaged file may hold is checked.
 *
 *   struct merged_calls row;
 *
 *   for (size_t next = 0; merged_next(input, MERGED_calls, &next, &row);)
 *           ... row.routine is a number of the names ...
 *
 * Who reads a table that others refer to tells the number of each row (merged_number), and does so
 * before those are read. Context: pure. */
#pragma once

#include "analyze/tables/merged.h"

struct text_set;
struct merged_input;

/* In the place of a number that is unknown. */
#define MERGED_NO_ROW UINT64_MAX

/* texts: keeps all texts of rows. Both must live longer than the input. */
struct merged_input *merged_input_create(const struct merged_file *file, struct text_set *texts);
void merged_input_destroy(struct merged_input *input);

/* Copies the next row that refers to nothing unknown into `row`: the struct of the table, or one
 * that begins with it. False: there is none. next: 0 at first; then the number of the row in the
 * file + 1. */
bool merged_next(const struct merged_input *input, enum merged_table table, size_t *next,
		 void *row);
/* As merged_file_rows: numbers are the file's. */
const void *merged_input_rows(const struct merged_input *input, enum merged_table table,
			      size_t *count);

/* The number in the model of the row that merged_next has read: next as it left it. */
void merged_number(struct merged_input *input, enum merged_table table, size_t next,
		   uint64_t number);
/* MERGED_NO_ROW: the file has no such row, or it was left out. */
uint64_t merged_number_of(const struct merged_input *input, enum merged_table table, uint64_t row);
