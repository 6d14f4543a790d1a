/* SPDX-License-Identifier: MIT */
/* The report on scaling, in each of its formats. Context: pure but for `out`. */
#pragma once

#include "analyze/scaling/scaling_model.h"

#include <stdio.h>

struct json_object;

struct scaling_page {
	FILE *out;
	size_t top; /* rows per table, 0: all */
	unsigned width;
	bool is_utf8;
};

void scaling_print_text(const struct scaling_page *page, const struct scaling *scaling);
void scaling_print_html(const struct scaling_page *page, const struct scaling *scaling);
void scaling_print_json(FILE *out, const struct scaling *scaling);
struct json_object *scaling_json(const struct scaling *scaling);
