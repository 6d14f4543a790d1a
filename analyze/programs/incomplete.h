/* SPDX-License-Identifier: MIT */
/* What an analyzer program says of a run that was not read as a whole. */
#pragma once

#include "analyze/base/text_list.h"

#include <stdbool.h>

/* The status of a program that has said what it could of a run: 0, or 1 and a line with the reason,
 * the first note: notes begin with how processes ended and what could not be read. */
int warn_incomplete(bool is_complete, const struct text_list *notes);
