/* SPDX-License-Identifier: MIT */
/* The faces of sections on a page, for the table in report_sections.c alone. json: what the
 * section's make_json says, with all rows. */
#pragma once

#include "analyze/report/report.h"

#define SECTION(name) void html_##name(const struct report *report, struct json_object *json);

SECTION(overview)
SECTION(concurrency)
SECTION(threads)
SECTION(synchronization)
SECTION(routines)
SECTION(openmp)
SECTION(mpi)
SECTION(mpi_calls)
SECTION(mpi_sites)
SECTION(ranks)
SECTION(collectives)
SECTION(peers)
SECTION(processes)
SECTION(findings)
SECTION(notes)
#undef SECTION
