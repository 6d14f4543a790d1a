/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling.h"

#include "analyze/die.h"

int scaling_run(const struct diff_options *options)
{
	(void)options;
	die("not available in this version");
}
