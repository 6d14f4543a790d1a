/* SPDX-License-Identifier: MIT */
/* The schema as every profile contains it: readable text, made from schema.def by the
 * preprocessor. */
#pragma once

#include <stddef.h>

extern const char schema_text[];
extern const size_t schema_text_bytes;
