/* SPDX-License-Identifier: MIT */
/* The columns that are carried to every output, in JSON. Context: pure. */
#pragma once

#include "analyze/model/run/carried.h"

struct json_object;

/* Adds the figures of a row under the names that they are shown by; leaves alone those that the
 * object has already. */
void report_add_carried(struct json_object *object, const struct carried *carried, const void *row);
