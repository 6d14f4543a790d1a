/* SPDX-License-Identifier: MIT */
#include "program_mask.h"

static __thread bool blocked;

bool program_mask_blocks(void)
{
	return blocked;
}

void program_mask_set(bool blocks)
{
	blocked = blocks;
}
