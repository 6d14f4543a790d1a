/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_module.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/name_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names of objects with less debugging information are not kept: they are found in less than a
 * tenth of a second. */
#define KEPT_DEBUG_BYTES (4 << 20)

/* A checksum of the sources that decide what is called how (Makefile), so that no answer of another
 * version is used. A build without one keeps no names. */
#ifndef NAME_RULES
#define NAME_RULES ""
#endif

static bool has_same_bytes(FILE *one, FILE *other)
{
	char left[4096], right[4096];
	size_t length;

	do {
		length = fread(left, 1, sizeof left, one);
		if (fread(right, 1, sizeof right, other) != length ||
		    memcmp(left, right, length) != 0)
			return false;
	} while (length == sizeof left);
	return !ferror(one) && !ferror(other);
}

/* Is the object another one than its copy? Times do not tell: both may have been copied since. */
static bool is_other(const char *path, const char *copy)
{
	struct stat now, then;

	if (stat(copy, &then) < 0 || !S_ISREG(then.st_mode))
		return false;
	if (stat(path, &now) < 0 || !S_ISREG(now.st_mode) || now.st_size != then.st_size)
		return true;
	FILE *one = fopen(path, "re"), *other = fopen(copy, "re");
	bool is_same = one && other && has_same_bytes(one, other);

	if (one)
		fclose(one);
	if (other)
		fclose(other);
	return !is_same;
}

/* Opens the copy that a run has, if the object is another one by now. */
static bool open_kept(struct symbol_module *module)
{
	struct symbol_file kept;

	for (size_t i = 0; module->path[0] == '/' && module->kept[i]; i++) {
		char *copy = memory_print("%s%s", module->kept[i], module->path);
		bool is_wanted = is_other(module->path, copy);

		if (is_wanted)
			symbol_file_open(&kept, module->pool, module->directory, copy,
					 module->build_id);
		free(copy);
		if (is_wanted && kept.elf) {
			module->file = kept;
			return true;
		}
		if (is_wanted)
			symbol_file_close(&kept);
	}
	return false;
}

void symbol_module_open(struct symbol_module *module)
{
	struct symbol_file *file = &module->file;

	if (module->is_open)
		return;
	module->is_open = true;
	/* without a build-id the path alone says whether it is the same object */
	if (!*module->build_id && open_kept(module))
		return;
	symbol_file_open(file, module->pool, module->directory, module->path, module->build_id);
	if (file->problem)
		open_kept(module);
}

void symbol_module_close(struct symbol_module *module, bool is_complete)
{
	name_cache_close(module->cache, is_complete);
	symbol_table_clear(&module->table);
	dwarf_units_close(&module->units);
	symbol_file_close(&module->file);
}

const struct symbol_table *symbol_module_table(struct symbol_module *module)
{
	symbol_module_open(module);
	if (!module->has_table)
		symbol_table_read(&module->table, &module->file);
	module->has_table = true;
	return &module->table;
}

struct dwarf_units *symbol_module_units(struct symbol_module *module)
{
	symbol_module_open(module);
	if (!module->has_units)
		dwarf_units_open(&module->units, module->file.debug);
	module->has_units = true;
	return &module->units;
}

struct dwarf_unit *symbol_module_unit(struct symbol_module *module, uint64_t address)
{
	return dwarf_units_find(symbol_module_units(module), address);
}

/* "inode bytes@time of its content, and of any change"; "-": no file. Tools that change a file may
 * leave its size, time and build-id as they were. */
static char *state_of(Elf *elf, int descriptor)
{
	struct stat status;

	return elf && !fstat(descriptor, &status)
		       ? memory_print("%llu %lld@%lld.%09ld,%lld.%09ld",
				      (unsigned long long)status.st_ino, (long long)status.st_size,
				      (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
				      (long long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
		       : memory_copy_text("-");
}

char *symbol_module_identity(struct symbol_module *module)
{
	const struct symbol_file *file = &module->file;

	symbol_module_open(module);
	char *object = state_of(file->elf, file->descriptor);
	char *debug = file->debug == file->elf ? memory_copy_text("=")
					       : state_of(file->debug, file->debug_descriptor);
	char *identity = memory_print("%s %s %s %s", module->path, module->build_id, object, debug);

	free(object);
	free(debug);
	return identity;
}

/* Of the section that a debugging file needs most of its time for, as it is read: most packages
 * have it compressed. 0: there is none. */
static uint64_t debug_bytes(Elf *debug)
{
	GElf_Shdr header;
	GElf_Chdr compressed;
	Elf_Scn *section = symbol_file_section(debug, ".debug_info", 0, &header);

	if (section && gelf_getchdr(section, &compressed))
		return compressed.ch_size;
	if (!section)
		section = symbol_file_section(debug, ".zdebug_info", 0, &header);
	return section ? header.sh_size : 0;
}

static bool is_worth_keeping(const struct symbol_module *module)
{
	Elf *debug = module->file.debug;

	return *NAME_RULES && *module->build_id && debug && !module->file.problem &&
	       debug_bytes(debug) >= KEPT_DEBUG_BYTES;
}

struct name_answers *symbol_module_answers(struct symbol_module *module)
{
	symbol_module_open(module);
	if (!module->has_cache && is_worth_keeping(module)) {
		char *identity = symbol_module_identity(module);
		char *whole = memory_print(NAME_RULES " %s", identity);

		module->cache = name_cache_open(module->build_id, whole);
		free(whole);
		free(identity);
	}
	module->has_cache = true;
	return module->cache ? name_cache_answers(module->cache) : NULL;
}
