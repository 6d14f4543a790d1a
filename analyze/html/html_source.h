/* SPDX-License-Identifier: MIT */
/* The source on a page: which, and how much of it. */
#pragma once

#include "analyze/report/report.h"

#include <json-c/json.h>

/* What the page shows of the source: the JSON of the section source. On a whole page it is that of
 * the routines that findings name, and then of those with the most time, as much as there is room
 * for; a last element without `lines` counts what is left out. An empty list: none was found.
 * Released by the caller. */
struct json_object *html_source_json(const struct report *report, bool is_whole_page);
