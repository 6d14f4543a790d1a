/* SPDX-License-Identifier: MIT */
/* The schema as it stands in every profile: readable text, made from schema.def by the
 * preprocessor. */
#pragma once

#include <stddef.h>

extern const char schema_text[];
extern const size_t schema_text_bytes;
