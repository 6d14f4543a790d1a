/* SPDX-License-Identifier: MIT */
/* The two faces of each section, for the table in report_sections.c alone: text and JSON. */
#pragma once

#include "analyze/report/report.h"

#define SECTION(name)                                                                              \
	void report_##name##_text(const struct report *report);                                    \
	struct json_object *report_##name##_json(const struct report *report);

SECTION(overview)
SECTION(concurrency)
SECTION(threads)
SECTION(synchronization)
SECTION(routines)
SECTION(openmp)
SECTION(processes)
SECTION(findings)
SECTION(notes)
#undef SECTION

/* As CSV: calls on no object are rows as well, as in the text. */
struct json_object *report_synchronization_rows(const struct report *report);

/* Keys of the JSON that are no section of the text. */
struct json_object *report_calls_json(const struct report *report);
/* The sections on MPI have one key in common. */
void report_mpi_text(const struct report *report);
void report_mpi_calls_text(const struct report *report);
void report_mpi_sites_text(const struct report *report);
void report_collectives_text(const struct report *report);
void report_peers_text(const struct report *report);
void report_ranks_text(const struct report *report);
struct json_object *report_mpi_json(const struct report *report);
struct json_object *report_empty_json(const struct report *report);
