/* SPDX-License-Identifier: MIT */
#include "preload/waits/wait_rows.h"

#include "preload/locks/objects.h"
#include "preload/stacks/callpath.h"

struct row_waits *wait_rows_find(struct thread *thread, struct open_wait *wait)
{
	uint64_t object = (uint64_t)(wait->object ? wait->object->row : wait->named) << 32;
	uint64_t rest = (uint64_t)wait->cause << 48 | (uint64_t)wait->operation << 56;
	uint32_t other = callpath_mark(MARK_OTHER);
	uint64_t keys[] = {wait->path | object | rest, other | object | rest, other | rest};
	struct row_waits *row = row_hash_find_first(&thread->waits, keys, 3);

	if (likely(row))
		wait->row_object = row->object;
	return row;
}
