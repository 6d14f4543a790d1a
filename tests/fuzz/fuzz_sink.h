/* SPDX-License-Identifier: MIT */
/* Where an output goes, and what can be said of it without knowing what it should be. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct fuzz_sink {
	FILE *out;
	char *text;
	size_t bytes;
};

void fuzz_sink_open(struct fuzz_sink *sink);
/* All release the text; the others end the program if it is no JSON, or a page without an end. */
void fuzz_sink_close(struct fuzz_sink *sink);
void fuzz_sink_close_json(struct fuzz_sink *sink);
void fuzz_sink_close_page(struct fuzz_sink *sink);
