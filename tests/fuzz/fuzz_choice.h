/* SPDX-License-Identifier: MIT */
/* Two bytes of an input that say what is printed of it, in the unused end of the header page. */
#pragma once

#include "preload/file/format.h"

#include <stddef.h>

#define FUZZ_CHOICE_OUTPUT (FORMAT_HEADER_BYTES - 2)
#define FUZZ_CHOICE_WAY    (FORMAT_HEADER_BYTES - 1)

struct fuzz_choice {
	unsigned output; /* index in fuzz_outputs, after division by their number */
	unsigned way;    /* bits: see who uses them */
};

/* A short input is printed in the first way. */
static inline struct fuzz_choice fuzz_choice_of(const unsigned char *bytes, size_t size)
{
	if (size <= FUZZ_CHOICE_WAY)
		return (struct fuzz_choice){0, 0};
	return (struct fuzz_choice){bytes[FUZZ_CHOICE_OUTPUT], bytes[FUZZ_CHOICE_WAY]};
}
