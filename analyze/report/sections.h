/* SPDX-License-Identifier: MIT */
/* The text and JSON functions of each section. */
#pragma once

#include "analyze/report/report.h"

#define KEY(key) struct json_object *report_##key##_json(const struct report *report);
#define SECTION(name, title, key, ...)                                                             \
	void report_##name##_text(const struct report *report);                                    \
	KEY(key)
#include "analyze/report/sections.def"
#undef SECTION
#undef KEY

/* Are there others besides ranks? */
bool report_has_processes(const struct report *report);
/* As CSV: calls without an object are rows as well, as in the text. */
struct json_object *report_synchronization_rows(const struct report *report);
/* As CSV: each event and metric at each place. */
struct json_object *report_counters_rows(const struct report *report);
/* All ranks, in their order: what the key "mpi" takes from their section. */
struct json_object *report_ranks_rows(const struct report *report);
/* As CSV: the rows of all blocks. */
struct json_object *report_source_rows(const struct report *report);
