/* SPDX-License-Identifier: MIT */
/* One profile as structs of numbers and texts: the rows of its tables, with columns found by name.
 *
 * The structs are made from schema.def: a column becomes a field of its name, a 64-bit number or a
 * text; what a file does not have is 0 or "". Columns that are internal to the writer are left out.
 * The first field is `thread`: the index of the thread to which the row's block belongs. Row
 * numbers are translated to indices into the arrays below and checked, so that whoever follows them
 * needs no check. Index 0 means "none" in modules, callpaths, threads, objects, mpi_names,
 * mpi_communicators, omp_regions, events and sections. The parent of a call path, of a region and
 * of a section has a smaller index. Call paths have no marks of sections (section_paths.h). Rows of
 * equal keys have been merged (table_merge.h). Context: pure but for profile_open. Everything lives
 * as long as the profile. */
#pragma once

#include "analyze/tables/table_read.h"
#include "preload/file/schema_sums.h"
#include "preload/file/vocabulary.h"

enum { PROFILE_BINS = 32 };

/* The struct for a row of each table. */
#define PROFILE_ROW_process           profile_process
#define PROFILE_ROW_modules           profile_module
#define PROFILE_ROW_callpaths         profile_callpath
#define PROFILE_ROW_objects           profile_object
#define PROFILE_ROW_threads           profile_thread
#define PROFILE_ROW_concurrency       profile_concurrency
#define PROFILE_ROW_samples           profile_sample
#define PROFILE_ROW_tallies           profile_tally
#define PROFILE_ROW_waits             profile_wait
#define PROFILE_ROW_blame             profile_blame
#define PROFILE_ROW_children          profile_child
#define PROFILE_ROW_notes             profile_note
#define PROFILE_ROW_timeline          profile_timeline
#define PROFILE_ROW_mpi_process       profile_mpi_process
#define PROFILE_ROW_mpi_names         profile_mpi_name
#define PROFILE_ROW_mpi_communicators profile_mpi_communicator
#define PROFILE_ROW_mpi_calls         profile_mpi_call
#define PROFILE_ROW_mpi_peers         profile_mpi_peer
#define PROFILE_ROW_mpi_collectives   profile_mpi_collective
#define PROFILE_ROW_omp_process       profile_omp_process
#define PROFILE_ROW_omp_regions       profile_omp_region
#define PROFILE_ROW_omp_executions    profile_omp_execution
#define PROFILE_ROW_omp_work          profile_omp_work
#define PROFILE_ROW_omp_constructs    profile_omp_construct
#define PROFILE_ROW_omp_tasks         profile_omp_task
#define PROFILE_ROW_omp_threads       profile_omp_thread
#define PROFILE_ROW_events            profile_event
#define PROFILE_ROW_metrics           profile_metric
#define PROFILE_ROW_event_counts      profile_event_count
#define PROFILE_ROW_event_samples     profile_event_sample
#define PROFILE_ROW_calls             profile_call
#define PROFILE_ROW_io_calls          profile_io_call
#define PROFILE_ROW_requests          profile_request
#define PROFILE_ROW_python_code       profile_python_code
#define PROFILE_ROW_sections          profile_section
#define PROFILE_ROW_section_levels    profile_section_level
#define PROFILE_ROW_section_times     profile_section_times
#define PROFILE_ROW_section_longest   profile_section_longest
#define PROFILE_ROW_marks             profile_mark
#define PROFILE_ROW_named_memory      profile_named_memory
#define PROFILE_ROW_strings           profile_string

/* A field, by the type of its column, ... */
#define PROFILE_FIELD_u8(name)       uint64_t name;
#define PROFILE_FIELD_u16(name)      uint64_t name;
#define PROFILE_FIELD_u32(name)      uint64_t name;
#define PROFILE_FIELD_u64(name)      uint64_t name;
#define PROFILE_FIELD_str(name)      const char *name;
#define PROFILE_FIELD_text16(name)   const char *name;
#define PROFILE_FIELD_text48(name)   const char *name;
#define PROFILE_FIELD_hist32(name)   uint64_t name[PROFILE_BINS];
#define PROFILE_FIELD_causes32(name) uint64_t name[CAUSE_LIMIT];
/* ... unless its role is to be internal to the writer. */
#define PROFILE_IF_internal(...)
#define PROFILE_IF_key(...)               __VA_ARGS__
#define PROFILE_IF_value(...)             __VA_ARGS__
#define PROFILE_IF_modules(...)           __VA_ARGS__
#define PROFILE_IF_callpaths(...)         __VA_ARGS__
#define PROFILE_IF_objects(...)           __VA_ARGS__
#define PROFILE_IF_threads(...)           __VA_ARGS__
#define PROFILE_IF_mpi_names(...)         __VA_ARGS__
#define PROFILE_IF_mpi_communicators(...) __VA_ARGS__
#define PROFILE_IF_omp_regions(...)       __VA_ARGS__
#define PROFILE_IF_events(...)            __VA_ARGS__
#define PROFILE_IF_sections(...)          __VA_ARGS__

/* clang-format off */
#define TABLE(name, meaning)                           struct PROFILE_ROW_##name { uint64_t thread;
#define COLUMN(type, name, unit, role, merge, meaning) PROFILE_IF_##role(PROFILE_FIELD_##type(name))
#define END(name)                                      };
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
/* clang-format on */

/* A row of `waits` of one section: not merged with those outside of it. Both are rows of
 * `sections`; 0: in none. */
struct profile_section_wait {
	struct profile_wait wait;
	size_t section, phase;
};

struct profile {
	char *path; /* of the file */
	struct format_header header;
	struct table_file *file;
	struct profile_process process;
#define PROFILE_TABLE(table, flags)                                                                \
	struct {                                                                                   \
		struct PROFILE_ROW_##table *rows;                                                  \
		size_t count;                                                                      \
	} table;
#include "analyze/read/profile_tables.def"
#undef PROFILE_TABLE
	bool is_restricted; /* to a section (profile_within.h) ... */
	bool is_in_within;  /* ... that it has */
	struct {
		struct profile_section_wait *rows;
		size_t count, capacity;
	} section_waits; /* once more: the rows of `waits` whose paths have marks of sections */
	char **copied_texts;
	size_t copied_text_count, copied_text_capacity;
};
