/* SPDX-License-Identifier: MIT */
/* The command line of ptrace-export. */
#pragma once

#include "analyze/export/export.h"

struct export_options {
	const struct export_format *format;
	char *const *runs;
	size_t run_count;    /* 0: the newest */
	const char *symbols; /* NULL: none */
	const char *output;  /* NULL: standard output */
	enum export_measure measure;
};

/* Ends the program for --help and --version (status 0), and for wrong usage (status 2). */
struct export_options export_options_read(int count, char **words);
