/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/debug_search.h"

#include "analyze/base/memory.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STANDARD_PATH ":.debug:/usr/lib/debug"

enum { ID_MOST = 64 };

/* Of the object, else of the profile, whose column may have cut it. Length; 0: none. */
static size_t build_id_of(Elf *elf, const char *text, unsigned char *id)
{
	const void *bytes;
	ssize_t known = elf ? dwelf_elf_gnu_build_id(elf, &bytes) : 0;
	size_t length = 0;

	if (known > 0 && known <= ID_MOST) {
		memcpy(id, bytes, (size_t)known);
		return (size_t)known;
	}
	while (length < ID_MOST && sscanf(text + 2 * length, "%2hhx", &id[length]) == 1)
		length++;
	return length;
}

/* NULL: the standard path. A colon would end the directory's name. */
static char *path_with(const char *directory)
{
	char *whole = directory && !strchr(directory, ':') ? realpath(directory, NULL) : NULL;
	char *path = whole ? memory_print(STANDARD_PATH ":%s", whole) : NULL;

	free(whole);
	return path;
}

/* The module is nothing but a name for libdwfl: what is not given to it is not read. Without a link
 * the path is not given either, or the object itself would be found by its own name. */
static int search(Dwfl_Module *module, Elf *elf, const char *path)
{
	GElf_Word checksum = 0;
	const char *link = elf ? dwelf_elf_gnu_debuglink(elf, &checksum) : NULL;
	/* what is relative is the program's, not the analyzer's */
	const char *known_path = link && *path == '/' ? path : NULL;
	char *found = NULL;
	int descriptor = dwfl_standard_find_debuginfo(module, NULL, NULL, 0, known_path, link,
						      checksum, &found);

	free(found);
	return descriptor;
}

/* libdwfl (elfutils 0.188) closes with a module what it validated for dwfl_standard_find_debuginfo,
 * by a descriptor that only its own caller of that function sets: 0. That one stays what it was. */
static void end(Dwfl *dwfl)
{
	int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	dwfl_end(dwfl);
	if (kept < 0)
		return;
	if (fcntl(STDIN_FILENO, F_GETFD) < 0)
		dup2(kept, STDIN_FILENO);
	close(kept);
}

int debug_search_open(Elf *elf, const char *path, const char *build_id, const char *directory)
{
	unsigned char id[ID_MOST];
	size_t length = build_id_of(elf, build_id, id);
	char *debug_path = path_with(directory), *standard_path = STANDARD_PATH;
	const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = debug_path ? &debug_path : &standard_path,
	};
	GElf_Word checksum;
	int descriptor = -1;
	/* without both a name alone would decide */
	bool is_known = length || (elf && dwelf_elf_gnu_debuglink(elf, &checksum));
	Dwfl *dwfl = is_known ? dwfl_begin(&callbacks) : NULL;
	Dwfl_Module *module = dwfl ? dwfl_report_module(dwfl, "", 0, 1) : NULL;

	if (module && (!length || !dwfl_module_report_build_id(module, id, length, 0)))
		descriptor = search(module, elf, path);
	end(dwfl);
	free(debug_path);
	return descriptor;
}
