/* SPDX-License-Identifier: MIT */
/* The picture at the top of a page that has all of the report: the first screen of the text, drawn.
 * What it shows in figures is in the sections below. Context: pure but for `out`. */
#pragma once

#include "analyze/report/report.h"

void html_picture(const struct report *report);
