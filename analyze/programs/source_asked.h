/* SPDX-License-Identifier: MIT */
/* What a report of source lines is asked for on the command line. */
#pragma once

#include "analyze/model/lines/source_listing.h"
#include "analyze/report/report_options.h"

struct source_query source_asked_of(const struct report_options *options);
/* Ends the program with status 2 if nothing of the run fits the routine or file that was named. */
void source_asked_check(const struct run *run, const struct source_lines *lines,
			const struct source_query *query);
/* The source files of a run, looked for as the options say. */
struct source_texts *source_asked_texts(const struct report_options *options,
					const struct run *run);
