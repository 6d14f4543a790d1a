/* SPDX-License-Identifier: MIT */
/* Several runs of one program as measurements for Extra-P (scaling/extrap.h). */
#include "analyze/export/export.h"
#include "analyze/scaling/extrap.h"
#include "analyze/scaling/scaling_read.h"

void export_extrap(struct export *export)
{
	/* The text contains what was measured: whether the scaling is strong or weak does not
	 * change it. */
	struct scaling scaling =
		scaling_read(export->runs, export->run_count, export->symbols, false);

	extrap_print(export->out, &scaling);
	export->is_complete = true;
	for (size_t i = 0; i < scaling.run_count; i++) {
		if (scaling.runs[i].is_complete)
			continue;
		export->is_complete = false;
		text_list_add(&export->notes, "%s ended before its time, or is damaged",
			      scaling.runs[i].directory);
	}
	scaling_clear(&scaling);
}
