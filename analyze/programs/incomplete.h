/* SPDX-License-Identifier: MIT */
/* What an analyzer program says of a run that could not be read completely. */
#pragma once

#include "analyze/base/text_list.h"

#include <stdbool.h>

/* The exit status of a program that has printed what it could of a run: 0, or 1 after a line with
 * the reason. The reason is the first note: notes begin with how processes ended and what could not
 * be read. */
int warn_incomplete(bool is_complete, const struct text_list *notes);
