/* SPDX-License-Identifier: MIT */
#include "preload/python/python_memory.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/stacks/unwind.h"

enum { PAGE = 4096 }; /* no kernel has smaller ones */

static bool has_page(struct python_memory *memory, uint64_t page)
{
	uint64_t *known = &memory->pages[hash_slot(page, PYTHON_PAGES)];

	if (unlikely(!page)) /* an empty slot is no page */
		return false;
	if (likely(*known == page))
		return true;
	if (!unwind_may_read(page))
		return false;
	*known = page;
	return true;
}

bool python_may_read(struct python_memory *memory, uint64_t address, size_t bytes)
{
	uint64_t last = address + bytes - 1;

	if (last < address)
		return false;
	for (uint64_t page = address & ~(uint64_t)(PAGE - 1); page <= last; page += PAGE)
		if (!has_page(memory, page))
			return false;
	return true;
}

uint64_t python_word(struct python_memory *memory, uint64_t address)
{
	return !(address & 7) && python_may_read(memory, address, 8)
		       ? *(const volatile uint64_t *)address
		       : 0;
}

uint32_t python_half(struct python_memory *memory, uint64_t address)
{
	return !(address & 3) && python_may_read(memory, address, 4)
		       ? *(const volatile uint32_t *)address
		       : 0;
}
