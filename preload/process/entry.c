/* SPDX-License-Identifier: MIT */
#include "preload/process/entry.h"

#include "preload/base/direct.h"
#include "preload/base/likely.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

bool entry_is_late;
void (*entry_follow)(void);

struct order {
	uint64_t own;
	bool has_program, has_libc, is_late;
};

struct place {
	uint64_t start, end;
};

static struct place program, own; /* this library in memory */

static bool has_address(const struct dl_phdr_info *info, uint64_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    address - start < info->dlpi_phdr[i].p_memsz)
			return true;
	}
	return false;
}

static struct place place_of(const struct dl_phdr_info *info)
{
	struct place place = {UINT64_MAX, 0};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uint64_t end = start + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		place.start = start < place.start ? start : place.start;
		place.end = end > place.end ? end : place.end;
	}
	return place;
}

/* The list is in the order of loading: the program is its first. */
static int look(struct dl_phdr_info *info, size_t unused, void *result)
{
	struct order *order = result;

	(void)unused;
	if (!order->has_program)
		program = place_of(info);
	order->has_program = true;
	if (has_address(info, direct.libc_start))
		order->has_libc = true;
	if (!has_address(info, order->own))
		return 0;
	order->is_late = order->has_libc;
	own = place_of(info);
	return 1;
}

void entry_find(void)
{
	struct order order = {.own = (uint64_t)entry_find};

	direct_need();
	direct.dl_iterate_phdr(look, &order);
	entry_is_late = order.is_late;
}

/* dladdr would take 50 us. */
static bool is_in(struct place place, const void *found)
{
	return (uint64_t)found >= place.start && (uint64_t)found < place.end;
}

void *entry_scope(void)
{
	return unlikely(entry_is_late) ? RTLD_DEFAULT : RTLD_NEXT;
}

static void *search(const char *symbol, const char *version)
{
	direct_need();
	return version ? direct.dlvsym(entry_scope(), symbol, version)
		       : direct.dlsym(entry_scope(), symbol);
}

/* The scope of the whole program begins with its own file, and ends with ours. What is found in the
 * program is a function of its own with another meaning, or (where it is not position independent)
 * the place by which it calls the one that is wanted, perhaps through us. */
void *entry_behind(const char *symbol, const char *version)
{
	void *found = search(symbol, version);

	if (likely(!entry_is_late) || !found)
		return found;
	if (is_in(program, found))
		return direct_of_libc(symbol, version);
	return is_in(own, found) ? NULL : found;
}
