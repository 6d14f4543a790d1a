/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding.h"

const char *finding_kind_text(enum finding_kind kind)
{
	static const char *const texts[] = {"problem", "environment", "symptom", "caveat"};

	return texts[kind];
}
