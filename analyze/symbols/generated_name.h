/* SPDX-License-Identifier: MIT */
/* Names of generated code as its users know them. Context: pure. */
#pragma once

#include "analyze/symbols/symbol_place.h"
#include "analyze/symbols/text_pool.h"

/* V8's `JS:*hot /srv/app.js:1:13` is hot in line 1 of that file, whichever compiler made it;
 * Python's `py::work:/srv/t.py` is work; HotSpot's `double T.hot(int)` is T.hot. Others stay as
 * they are. */
struct symbol_place generated_name(struct text_pool *pool, const char *text);
