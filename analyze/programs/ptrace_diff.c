/* SPDX-License-Identifier: MIT */
/* ptrace-diff: what changed between runs, and how a program behaves with more processors. */
#include "analyze/base/progress.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/diff_options.h"
#include "analyze/print/output.h"
#include "analyze/programs/baseline.h"
#include "analyze/programs/trial.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_read.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

/* --scaling. Reads the runs, prints, and returns the exit status. */
static int scaling_run(const struct diff_options *options)
{
	struct scaling scaling = scaling_read(options->runs[0], options->run_count[0],
					      options->symbols, options->is_weak, options->per);
	FILE *out = output_open(options->output);
	struct scaling_page page = {
		.out = out,
		.top = options->top,
		.width = output_columns(out, options->width),
		.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};

	switch (options->format) {
	case DIFF_TEXT:
		scaling_print_text(&page, &scaling);
		break;
	case DIFF_JSON:
		scaling_print_json(out, &scaling);
		break;
	default:
		scaling_print_html(&page, &scaling);
		break;
	}
	output_close(out, options->output);
	scaling_clear(&scaling);
	return 0;
}

int main(int count, char **words)
{
	setlocale(LC_CTYPE, "");
	struct diff_options options = diff_options_read(count, words);

	progress_enable();
	if (options.baseline)
		baseline_find(&options);
	int status = options.is_scaling  ? scaling_run(&options)
		     : options.run_pairs ? trial_run(&options)
					 : diff_run(&options);

	diff_options_clear(&options);
	return status;
}
