/* SPDX-License-Identifier: MIT */
/* A merged run on disk: the model's sums as tables, in the framing of a profile (docs/dev/format.md)
 * but with a version of its own, so that no reader takes it for a profile.
 *
 * A row is a struct of 64-bit integers, IEEE 754 doubles and texts (merged.def). Columns are found
 * by name: a file with more or fewer columns is read as well, and what is missing is 0 or "". Row
 * numbers are passed on as the file has them: merged_input.h translates and checks them. Context:
 * pure but for merged_writer_save and merged_file_open. */
#pragma once

#include "preload/file/schema_sums.h"
#include "preload/file/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MERGED_FILE_NAME "merged.tables"
/* GRADE_UNKNOWN of the model, which this room does not know. */
#define MERGED_WORST_GRADE 3

/* clang-format off: a column is a line */
#define TABLE(name, meaning)                               struct merged_##name {
#define COLUMN(what, field, type, unit, of, name, meaning) field;
#define PART(type, field, columns)                                                                 \
	struct type {                                                                              \
		columns                                                                            \
	} field;
#define PART_AGAIN(type, field, columns) struct type field;
#define PARTS(type, field, columns, others)                                                        \
	struct type {                                                                              \
		columns                                                                            \
	} field[2];
#define END(name)                                                                                  \
	}                                                                                          \
	;
#include "analyze/tables/merged.def"

enum merged_table {
#define TABLE(name, meaning) MERGED_##name,
#define COLUMN(...)
#define END(name)
#include "analyze/tables/merged.def"
	MERGED_TABLE_COUNT
};
/* clang-format on */

struct merged_writer;

struct merged_writer *merged_writer_create(void);
/* row: the struct of that table, or one that begins with it. Returns the number of the new row. */
uint64_t merged_writer_add(struct merged_writer *writer, enum merged_table table, const void *row);
/* The bytes of the file, released by the caller; releases the writer. */
unsigned char *merged_writer_finish(struct merged_writer *writer, size_t *size);
/* Writes a file beside `path` and renames it into place; releases the writer. False, with a reason
 * that the caller releases, if it cannot be written. */
bool merged_writer_save(struct merged_writer *writer, const char *path, char **problem);

struct merged_file;

/* NULL, with a reason that the caller releases, if it is no merged run. A damaged one is not read
 * in part: sums with parts missing look like any others. */
struct merged_file *merged_file_open(const char *path, char **problem);
/* The same from memory; takes ownership of `bytes` in any case. */
struct merged_file *merged_file_parse(unsigned char *bytes, size_t size, char **problem);
void merged_file_destroy(struct merged_file *file);
/* The rows of a table, as structs. They live as long as the file. */
const void *merged_file_rows(const struct merged_file *file, enum merged_table table,
			     size_t *count);

/* Adds `from` to `into`, rows of one key; what a column is says how (merged.def). */
void merged_unite(enum merged_table table, void *into, const void *from);
