/* SPDX-License-Identifier: MIT */
/* Where a system keeps debugging information of an object: libdwfl's standard search.
 *
 * By build-id below /usr/lib/debug; by .gnu_debuglink, with its checksum or the build-id, beside
 * the object, in .debug there, and below /usr/lib/debug; and at last at the servers of
 * DEBUGINFOD_URLS, where the user has set that: without it nothing goes to the network. Context:
 * the analyzer. */
#pragma once

#include <libelf.h>

/* An open descriptor, or -1: there is none. elf: the object, or NULL; path: where it was; build_id:
 * hexadecimal, "" for none; directory: one more to look in, or NULL. */
int debug_search_open(Elf *elf, const char *path, const char *build_id, const char *directory);
