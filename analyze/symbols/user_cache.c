/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/user_cache.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

char *user_cache_root(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && cache[0] == '/')
		return memory_copy_text(cache);
	return home && home[0] == '/' ? memory_print("%s/.cache", home) : NULL;
}
