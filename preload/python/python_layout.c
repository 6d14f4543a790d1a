/* SPDX-License-Identifier: MIT */
#include "preload/python/python_layout.h"

#include <stddef.h>

static const struct python_layout layouts[] = {
#define LAYOUT(minor, chain, table, ...) {minor, PYTHON_##chain, PYTHON_##table, __VA_ARGS__},
#include "preload/python/python_layouts.def"
#undef LAYOUT
};

const struct python_layout *python_layout_of(unsigned minor)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].minor == minor)
			return &layouts[i];
	return NULL;
}
