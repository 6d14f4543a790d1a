/* SPDX-License-Identifier: MIT */
#include "preload/process/entry.h"

#include "preload/base/likely.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

bool entry_is_late;
void (*entry_follow)(void);

struct order {
	uint64_t libc, own;
	bool has_libc, is_late;
};

static uint64_t own_start, own_end; /* this library in memory */

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

static void keep_place(const struct dl_phdr_info *info)
{
	own_start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uint64_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uint64_t end = start + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		own_start = start < own_start ? start : own_start;
		own_end = end > own_end ? end : own_end;
	}
}

/* The list is in the order of loading. */
static int look(struct dl_phdr_info *info, size_t unused, void *result)
{
	struct order *order = result;

	(void)unused;
	if (has_address(info, order->libc))
		order->has_libc = true;
	if (!has_address(info, order->own))
		return 0;
	order->is_late = order->has_libc;
	keep_place(info);
	return 1;
}

void entry_find(void)
{
	struct order order = {.libc = (uint64_t)gnu_get_libc_version, .own = (uint64_t)entry_find};

	dl_iterate_phdr(look, &order);
	entry_is_late = order.is_late;
}

/* dladdr would take 50 us. */
static bool is_own(const void *found)
{
	return (uint64_t)found >= own_start && (uint64_t)found < own_end;
}

void *entry_scope(void)
{
	return unlikely(entry_is_late) ? RTLD_DEFAULT : RTLD_NEXT;
}

/* The scope of the whole program ends with ours. */
void *entry_behind(const char *symbol, const char *version)
{
	void *found =
		version ? dlvsym(entry_scope(), symbol, version) : dlsym(entry_scope(), symbol);

	return unlikely(entry_is_late) && found && is_own(found) ? NULL : found;
}
