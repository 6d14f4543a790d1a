/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/holder_io.h"

void sync_holder_io_add(struct sync_holder_io *into, const struct sync_holder_io *from)
{
	uint64_t ns = into->ns + from->ns;

	if (from->most_ns > into->most_ns)
		*into = *from;
	into->ns = ns;
}
