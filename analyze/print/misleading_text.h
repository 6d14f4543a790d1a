/* SPDX-License-Identifier: MIT */
/* Names come from programs that may be hostile to who reads them. Context: pure. */
#pragma once

#include <stdbool.h>

/* Would this character beyond ASCII move what a terminal or a page shows elsewhere, or make a name
 * look like another one: controls (C1), marks and overrides of the direction, separators of lines?
 * character: the beginning of one in UTF-8. */
bool text_is_misleading(const char *character);
