/* SPDX-License-Identifier: MIT */
/* The report on scaling, in each of its formats. Context: pure but for `out`. */
#pragma once

#include "analyze/report/report.h"
#include "analyze/scaling/scaling_model.h"

/* where: its out, width, top and is_utf8 are used. */
void scaling_print_text(const struct report *where, const struct scaling *scaling);
void scaling_print_json(FILE *out, const struct scaling *scaling);
struct json_object *scaling_json(const struct scaling *scaling);
