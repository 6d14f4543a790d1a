/* SPDX-License-Identifier: MIT */
/* The keys of the screen: one table, which the page of keys is made of. Context: top_state.h. */
#pragma once

#include "analyze/top/top_state.h"

/* Characters stand for themselves; these for keys without one. */
enum top_key {
	TOP_KEY_ENTER = '\n',
	TOP_KEY_ESCAPE = 27,
	TOP_KEY_BACKSPACE = 127,
	TOP_KEY_UP = 256,
	TOP_KEY_DOWN,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_NONE,
};

void top_keys_obey(struct top_state *state, int key);
void top_keys_print(FILE *out, const struct top_view *view);
