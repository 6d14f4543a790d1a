/* SPDX-License-Identifier: MIT */
#include "analyze/programs/incomplete.h"

#include "analyze/base/die.h"

#define STATUS_INCOMPLETE 1

int warn_incomplete(bool is_complete, const struct text_list *notes)
{
	if (is_complete)
		return 0;
	warn_line("the run is incomplete: %s", notes->count ? notes->texts[0] : "reason unknown");
	return STATUS_INCOMPLETE;
}
