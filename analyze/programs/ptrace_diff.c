/* SPDX-License-Identifier: MIT */
/* ptrace-diff: what changed between runs, and how a program behaves with more processors. */
#include "analyze/base/progress.h"
#include "analyze/diff/diff.h"
#include "analyze/scaling/scaling.h"

#include <locale.h>

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	struct diff_options options = diff_options_read(count, words);

	progress_enable();
	int status = options.is_scaling ? scaling_run(&options) : diff_run(&options);

	diff_options_clear(&options);
	return status;
}
