/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling.h"

#include "analyze/die.h"
#include "analyze/print/output.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_read.h"

#include <langinfo.h>
#include <string.h>

int scaling_run(const struct diff_options *options)
{
	if (options->format == DIFF_HTML)
		die("--format html is not available with --scaling: use text or json");
	struct scaling scaling = scaling_read(options->runs[0], options->run_count[0],
					      options->symbols, options->is_weak);
	FILE *out = output_open(options->output);
	struct scaling_page page = {
		.out = out,
		.top = options->top,
		.width = options->width,
		.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};

	if (options->format == DIFF_JSON)
		scaling_print_json(out, &scaling);
	else
		scaling_print_text(&page, &scaling);
	output_close(out, options->output);
	scaling_clear(&scaling);
	return 0;
}
