/* SPDX-License-Identifier: MIT */
/* The faces of sections on a page. json: what the section's make_json says, with all rows. */
#pragma once

#include "analyze/report/report.h"

#define KEY(key)
#define SECTION(name, ...) void html_##name(const struct report *report, struct json_object *json);
#include "analyze/report/sections.def"
#undef SECTION
#undef KEY
