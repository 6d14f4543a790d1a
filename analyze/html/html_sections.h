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
