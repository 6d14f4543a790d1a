/* SPDX-License-Identifier: MIT */
/* The rows of every table as C structs, and the numbers of the tables, made from schema.def. No
 * code, no state. */
#pragma once

#include <stdint.h>

#include "preload/file/schema_sums.h"
#include "preload/file/vocabulary.h"

typedef uint8_t schema_u8;
typedef uint16_t schema_u16;
typedef uint32_t schema_u32;
typedef uint64_t schema_u64;
typedef uint64_t schema_str;
typedef char schema_text16[16];
typedef char schema_text48[48];
typedef uint32_t schema_hist32[32];
typedef uint64_t schema_causes32[CAUSE_LIMIT];

enum schema_table {
#define TABLE(name, meaning) TABLE_##name,
#define COLUMN(type, name, unit, role, merge, meaning)
#define END(name)
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
	TABLE_COUNT,
};

/* struct row_waits and so on; packed, as the file is */
#define TABLE(name, meaning)                           struct row_##name {
#define COLUMN(type, name, unit, role, merge, meaning) schema_##type name;
#define END(name)                                                                                  \
	}                                                                                          \
	__attribute__((packed, aligned(8)));
#include "preload/file/schema.def"
#undef TABLE
#undef COLUMN
#undef END
