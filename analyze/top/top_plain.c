/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_screen.h"

bool top_screen_is_possible(void)
{
	return false;
}

void top_screen_run(struct live *live, const struct top_options *options)
{
	(void)live;
	(void)options;
}
