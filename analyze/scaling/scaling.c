/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling.h"

#include "analyze/print/output.h"
#include "analyze/scaling/scaling_print.h"
#include "analyze/scaling/scaling_read.h"

#include <langinfo.h>
#include <string.h>

int scaling_run(const struct diff_options *options)
{
	struct scaling scaling = scaling_read(options->runs[0], options->run_count[0],
					      options->symbols, options->is_weak);
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
	case DIFF_HTML:
		scaling_print_html(&page, &scaling);
		break;
	}
	output_close(out, options->output);
	scaling_clear(&scaling);
	return 0;
}
