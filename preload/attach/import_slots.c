/* SPDX-License-Identifier: MIT */
#include "preload/attach/import_slots.h"

#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static bool is_opened; /* the object's read-only pages are writable for now */

bool import_slots_are_left_alone(const struct dynamic_table *table)
{
	return dynamic_table_has(table, (uint64_t)&is_opened) ||
	       dynamic_table_has(table, direct.libc_start) ||
	       dynamic_table_has(table, direct_auxiliary(AT_BASE)) ||
	       dynamic_table_has(table, direct_auxiliary(AT_SYSINFO_EHDR));
}

uint64_t *import_slot_place(const struct dynamic_table *table, const ElfW(Rela) * relocation)
{
	return (uint64_t *)(table->base + relocation->r_offset);
}

bool import_slot_is_unbound(const struct dynamic_table *table, const ElfW(Rela) * relocation,
			    uint64_t value)
{
	return dynamic_table_slot(relocation) == SLOT_CALL && dynamic_table_has(table, value);
}

/* Of the first object: the loader says the same with each. 2: they have changed. */
static int has_changed(struct dl_phdr_info *info, size_t unused, void *noted)
{
	const struct import_counts *counts = noted;

	(void)unused;
	return 1 + (info->dlpi_adds != counts->loaded || info->dlpi_subs != counts->unloaded);
}

bool import_counts_are_stale(const struct import_counts *counts)
{
	return direct.dl_iterate_phdr(has_changed, (void *)counts) == 2;
}

static bool protect(const struct dynamic_table *table, int protection)
{
	int saved = errno;
	bool works = !kernel_call(SYS_mprotect, table->relro, table->relro_end - table->relro,
				  protection);

	errno = saved;
	return works;
}

bool import_slot_store(const struct dynamic_table *table, uint64_t *place, uint64_t value)
{
	bool is_read_only = (uint64_t)place >= table->relro && (uint64_t)place < table->relro_end;

	if (is_read_only && !is_opened) {
		is_opened = protect(table, PROT_READ | PROT_WRITE);
		if (!is_opened)
			return false;
	}
	__atomic_store_n(place, value, __ATOMIC_RELEASE);
	return true;
}

void import_slots_close(const struct dynamic_table *table)
{
	if (is_opened)
		protect(table, PROT_READ);
	is_opened = false;
}
