/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_edges_parts.h"

#include "analyze/base/memory.h"

void stuck_edges_add(struct stuck_wait *wait, size_t other)
{
	wait->others = memory_grow(wait->others, wait->other_count, &wait->other_capacity,
				   sizeof *wait->others);
	wait->others[wait->other_count++] = other;
}

void stuck_edges_name(struct stuck_building *building, struct stuck_wait *wait, size_t process)
{
	for (size_t i = 0; i < building->stuck->count; i++)
		if (building->stuck->waits[i].process == process &&
		    !building->stuck->waits[i].is_helper)
			stuck_edges_add(wait, i);
}

void stuck_edges_need(struct stuck_building *building, size_t node, enum stuck_need need)
{
	building->graph.nodes[node].need = need;
}
