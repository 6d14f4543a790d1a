/* SPDX-License-Identifier: MIT */
/* All outputs of the programs, for a run that is damaged.
 *
 * An output that can be wrong without crashing is checked: JSON is JSON, a page has an end, a
 * merged run can be read. Context: files that an output needs (a database, a pipe to zlib) are in a
 * directory of this process. */
#pragma once

#include "analyze/findings/rules/findings.h"
#include "analyze/model/run/run.h"

#include <stddef.h>

struct fuzz_subject {
	struct run_files *files;
	struct symbolizer *symbolizer;
	struct run *run;
	struct findings findings; /* of the run */
	unsigned choice;          /* of the input: which rows, widths and tables */
};

struct fuzz_output {
	const char *name;
	void (*print)(struct fuzz_subject *subject);
};

extern const struct fuzz_output fuzz_outputs[];
extern const size_t fuzz_output_count;
