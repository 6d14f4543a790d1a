/* SPDX-License-Identifier: MIT */
#include "preload/file/schema_text.h"

#include "preload/file/schema_sums.h"

const char schema_text[] = "ptrace schema 1\n"
#define TABLE(name, meaning) "table " #name ": " meaning "\n"
#define COLUMN(type, name, unit, role, merge, meaning)                                             \
	"column " #type " " #name " " #unit " " #role " " #merge ": " meaning "\n"
#define END(name)
#include "preload/file/schema.def"
	;

const size_t schema_text_bytes = sizeof schema_text - 1;
