/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_columns.h"

#include "analyze/read/profile.h"

#include <string.h>

#define VALUE_OF_u8       VALUE_NUMBER
#define VALUE_OF_u16      VALUE_NUMBER
#define VALUE_OF_u32      VALUE_NUMBER
#define VALUE_OF_u64      VALUE_NUMBER
#define VALUE_OF_str      VALUE_TEXT
#define VALUE_OF_text16   VALUE_TEXT
#define VALUE_OF_text48   VALUE_TEXT
#define VALUE_OF_hist32   VALUE_NUMBERS
#define VALUE_OF_causes32 VALUE_NUMBERS

#define WORDS_OF_u8       1
#define WORDS_OF_u16      1
#define WORDS_OF_u32      1
#define WORDS_OF_u64      1
#define WORDS_OF_str      1
#define WORDS_OF_text16   1
#define WORDS_OF_text48   1
#define WORDS_OF_hist32   PROFILE_BINS
#define WORDS_OF_causes32 CAUSE_LIMIT

#define REFERENCE_key               NULL
#define REFERENCE_value             NULL
#define REFERENCE_modules           "modules"
#define REFERENCE_callpaths         "callpaths"
#define REFERENCE_objects           "objects"
#define REFERENCE_threads           "threads"
#define REFERENCE_mpi_names         "mpi_names"
#define REFERENCE_mpi_communicators "mpi_communicators"
#define REFERENCE_omp_regions       "omp_regions"
#define REFERENCE_events            "events"
#define REFERENCE_sections          "sections"

/* clang-format off */
#define TABLE(name, meaning) static const struct profile_column name##_columns[] = {
#define COLUMN(type, name, unit, role, merge, meaning) \
	PROFILE_IF_##role({#name, VALUE_OF_##type, WORDS_OF_##type, REFERENCE_##role},)
#define END(name) };
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END

#define TABLE(name, meaning) _Static_assert(sizeof(struct PROFILE_ROW_##name) == sizeof(uint64_t) * (1
#define COLUMN(type, name, unit, role, merge, meaning) PROFILE_IF_##role(+ WORDS_OF_##type)
#define END(name) ), "the thread, and then the columns, in words");
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
/* clang-format on */

#define COLUMNS(table)                                                                             \
	.element_bytes = sizeof(struct PROFILE_ROW_##table), .columns = table##_columns,           \
	.column_count = sizeof table##_columns / sizeof *table##_columns

const struct profile_table profile_process_table = {.name = "process", COLUMNS(process)};

const struct profile_table profile_tables[] = {
#define PROFILE_TABLE(table, flags_of_it)                                                          \
	{.name = #table,                                                                           \
	 .rows = offsetof(struct profile, table.rows),                                             \
	 .count = offsetof(struct profile, table.count),                                           \
	 .flags = flags_of_it,                                                                     \
	 COLUMNS(table)},
#include "analyze/read/profile_tables.def"
#undef PROFILE_TABLE
};
const size_t profile_table_count = sizeof profile_tables / sizeof *profile_tables;

#define PROFILE_TABLE(table, flags_of_it)                                                          \
	_Static_assert(sizeof table##_columns / sizeof *table##_columns <= PROFILE_COLUMNS_MAX,    \
		       "room for every column");
#include "analyze/read/profile_tables.def"
#undef PROFILE_TABLE

static const struct profile_bound bounds[] = {
	{"cause", CAUSE_LIMIT, CAUSE_OTHER},
	{"waiting_cause", CAUSE_LIMIT, CAUSE_OTHER},
	{"operation", OP_COUNT, OP_NONE},
	{"construct", OMP_CONSTRUCT_COUNT, OMP_CONSTRUCT_NONE},
};

const struct profile_bound *profile_bound_of(const char *column)
{
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
		if (!strcmp(column, bounds[i].column))
			return &bounds[i];
	return NULL;
}
