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
	return 1;
}

void entry_find(void)
{
	struct order order = {.libc = (uint64_t)gnu_get_libc_version, .own = (uint64_t)entry_find};

	dl_iterate_phdr(look, &order);
	entry_is_late = order.is_late;
}

static bool is_own(const void *found)
{
	Dl_info here, there;

	return dladdr((void *)entry_find, &here) && dladdr(found, &there) &&
	       here.dli_fbase == there.dli_fbase;
}

void *entry_scope(void)
{
	return unlikely(entry_is_late) ? RTLD_DEFAULT : RTLD_NEXT;
}

/* The scope of the whole program ends with ours. */
void *entry_behind(const char *symbol, const char *version)
{
	void *found = version ? dlvsym(entry_scope(), symbol, version)
			      : dlsym(entry_scope(), symbol);

	return unlikely(entry_is_late) && found && is_own(found) ? NULL : found;
}
