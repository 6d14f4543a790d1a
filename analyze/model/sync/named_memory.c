/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/named_memory.h"

#include "analyze/base/memory.h"

#include <inttypes.h>

static const struct profile_named_memory *find(const struct profile *profile, uint64_t address)
{
	for (size_t i = profile->named_memory.count; i-- > 0;) {
		const struct profile_named_memory *row = &profile->named_memory.rows[i];

		if (*row->name && address >= row->address && address - row->address < row->bytes)
			return row;
	}
	return NULL;
}

char *named_memory_text(const struct profile *profile, uint64_t address)
{
	const struct profile_named_memory *row = address ? find(profile, address) : NULL;

	if (!row)
		return NULL;
	if (row->address == address)
		return memory_copy_text(row->name);
	return memory_print("%s+0x%" PRIx64, row->name, address - row->address);
}
