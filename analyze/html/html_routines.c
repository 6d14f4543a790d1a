/* SPDX-License-Identifier: MIT */
/* Where the CPU time went: by call path, and by routine. */
#include "analyze/html/html_flame.h"
#include "analyze/html/html_sections.h"
#include "analyze/report/row_fields.h"

void html_routines(const struct report *report, struct json_object *json)
{
	html_flame_print(report);
	row_fields_html(report, "Routines, the most self time first", &routines_fields, json, NULL);
}
