/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff.h"

#include "analyze/die.h"

int diff_run(const struct diff_options *options)
{
	(void)options;
	die("not available in this version");
}
