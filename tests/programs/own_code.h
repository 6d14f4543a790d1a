/* SPDX-License-Identifier: MIT */
/* Where the profiler's code lies in a program under ptrace-run: dl_iterate_phdr(find_own_code,
 * NULL). */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uintptr_t own_begin, own_end; /* 0: there is none */

static int find_own_code(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; strstr(object->dlpi_name, "libptrace.so") && i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_flags & PF_X) {
			own_begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
			own_end = own_begin + object->dlpi_phdr[i].p_memsz;
		}
	return 0;
}

static inline bool is_own_code(uintptr_t code)
{
	return code >= own_begin && code < own_end;
}
