/* SPDX-License-Identifier: MIT */
#include "analyze/print/misleading_text.h"

#include <stddef.h>
#include <string.h>

bool text_is_misleading(const char *character)
{
	static const struct {
		char first[4], last[4];
	} ranges[] = {
		{"\xc2\x80", "\xc2\x9f"},         {"\xd8\x9c", "\xd8\x9c"},
		{"\xe2\x80\x8e", "\xe2\x80\x8f"}, {"\xe2\x80\xa8", "\xe2\x80\xae"},
		{"\xe2\x81\xa6", "\xe2\x81\xa9"},
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		size_t bytes = strlen(ranges[i].first);

		if (strncmp(character, ranges[i].first, bytes) >= 0 &&
		    strncmp(character, ranges[i].last, bytes) <= 0)
			return true;
	}
	return false;
}
