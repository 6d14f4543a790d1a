/* SPDX-License-Identifier: MIT */
/* The functions that show sections on a page. json: the result of the section's make_json, with all
 * rows. */
#pragma once

#include "analyze/report/report.h"

#define KEY(key)
#define SECTION(name, ...) void html_##name(const struct report *report, struct json_object *json);
#include "analyze/report/sections.def"
#undef SECTION
#undef KEY
/* The overview on a page that has the findings as well: what to fix first is told once. */
void html_overview_before_findings(const struct report *report, struct json_object *json);
/* The overview, with the picture, of a page that has findings and concurrency as well. */
void html_overview_with_picture(const struct report *report, struct json_object *json);
/* The time line, and beside it T_i as bars; nothing for one thread. */
void html_concurrency_picture(const struct report *report);
/* The section concurrency without its time line, which is in the picture. */
void html_concurrency_tables(const struct report *report, struct json_object *json);
