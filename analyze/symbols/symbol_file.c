/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/symbol_file.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/debug_search.h"
#include "analyze/symbols/debuginfod_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM_DEBUG "/usr/lib/debug"

Elf_Scn *symbol_file_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *header)
{
	size_t names;
	Elf_Scn *section = NULL;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, header))
			continue;
		const char *found = name ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (name ? found && strcmp(found, name) == 0 : header->sh_type == type)
			return section;
	}
	return NULL;
}

static bool has_section(Elf *elf, const char *name)
{
	GElf_Shdr header;

	return symbol_file_section(elf, name, 0, &header) && header.sh_type != SHT_NOBITS;
}

/* DWARF; a compressed section was called `.zdebug` before there was a flag for it. */
static bool has_debug_information(Elf *elf)
{
	return has_section(elf, ".debug_info") || has_section(elf, ".zdebug_info");
}

/* True: the file's build-id is the wanted one, or none is wanted. */
static bool has_build_id(Elf *elf, const char *wanted)
{
	const void *bytes;
	char text[2 * 64 + 1] = "";

	if (!*wanted)
		return true;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);
	if (length <= 0 || length > 64)
		return false;
	for (ssize_t i = 0; i < length; i++)
		sprintf(text + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
	return strncmp(text, wanted, strlen(wanted)) ==
	       0; /* the profile's column may have cut it */
}

/* 0, or an errno; ESTALE: there is a file, but another one. Then the descriptor is closed. */
static int begin_elf(const char *build_id, int *descriptor, Elf **elf)
{
	*elf = elf_begin(*descriptor, ELF_C_READ_MMAP, NULL);
	bool is_elf = *elf && elf_kind(*elf) == ELF_K_ELF;
	if (is_elf && has_build_id(*elf, build_id))
		return 0;
	elf_end(*elf);
	*elf = NULL;
	close(*descriptor);
	*descriptor = -1;
	return is_elf ? ESTALE : ENOEXEC;
}

static int open_elf(const char *path, const char *build_id, int *descriptor, Elf **elf)
{
	/* Neither a terminal nor a pipe with this name must block us. */
	*descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return *descriptor < 0 ? errno : begin_elf(build_id, descriptor, elf);
}

static bool open_debug(struct symbol_file *file, const char *path, const char *build_id)
{
	return open_elf(path, build_id, &file->debug_descriptor, &file->debug) == 0;
}

static bool open_by_build_id(struct symbol_file *file, const char *root, const char *build_id)
{
	static const char *const forms[] = {
		"%s/.build-id/%.2s/%s.debug",
		"%s/.build-id/%.2s/%s",
		"%s" SYSTEM_DEBUG "/.build-id/%.2s/%s.debug",
	};
	char path[PATH_MAX];

	if (strlen(build_id) < 3)
		return false;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		int length = snprintf(path, sizeof path, forms[i], root, build_id, build_id + 2);
#pragma GCC diagnostic pop
		if (length < (int)sizeof path && open_debug(file, path, build_id))
			return true;
	}
	return false;
}

struct wanted {
	struct symbol_file *file;
	const char *build_id;
};

static bool is_wanted(const char *path, void *context)
{
	const struct wanted *wanted = context;

	return open_debug(wanted->file, path, wanted->build_id);
}

/* Among what debuginfod has; the user's directory comes first. */
static bool open_fetched(struct symbol_file *file, const char *directory, const char *build_id)
{
	struct wanted wanted = {file, build_id};

	return (directory && debuginfod_tree_try(directory, build_id, NULL, is_wanted, &wanted)) ||
	       debuginfod_tree_try(NULL, build_id, NULL, is_wanted, &wanted);
}

/* By libdwfl's standard search. */
static bool open_by_search(struct symbol_file *file, const char *directory, const char *path,
			   const char *build_id)
{
	file->debug_descriptor = debug_search_open(file->elf, path, build_id, directory);
	return file->debug_descriptor >= 0 &&
	       begin_elf(build_id, &file->debug_descriptor, &file->debug) == 0;
}

/* Where nobody has the whole table. */
static void open_mini(struct symbol_file *file)
{
	GElf_Shdr header;

	if (!file->elf || symbol_file_section(file->elf, NULL, SHT_SYMTAB, &header) ||
	    symbol_file_section(file->debug, NULL, SHT_SYMTAB, &header))
		return;
	Elf_Scn *section = symbol_file_section(file->elf, ".gnu_debugdata", 0, &header);

	if (section)
		mini_debug_open(&file->mini, section);
}

static void find_debug(struct symbol_file *file, const char *directory, const char *path,
		       const char *build_id)
{
	if (file->elf && has_debug_information(file->elf)) {
		file->debug = file->elf;
		return;
	}
	if ((directory && open_by_build_id(file, directory, build_id)) ||
	    open_fetched(file, directory, build_id) ||
	    open_by_search(file, directory, path, build_id))
		return;
	file->debug = file->elf;
}

/* The object at its path, or at that path below the user's directory, or directly in that
 * directory. */
static int find_object(struct symbol_file *file, const char *directory, const char *path,
		       const char *build_id)
{
	const char *slash = strrchr(path, '/');
	/* a relative path is one of the program's, not of the analyzer's */
	int error =
		path[0] == '/' ? open_elf(path, build_id, &file->descriptor, &file->elf) : ENOENT;

	if (!error || !directory)
		return error;
	char *below = memory_print("%s/%s", directory, path);
	char *beside = memory_print("%s/%s", directory, slash ? slash + 1 : path);
	if (open_elf(below, build_id, &file->descriptor, &file->elf) == 0 ||
	    open_elf(beside, build_id, &file->descriptor, &file->elf) == 0)
		error = 0;
	free(below);
	free(beside);
	return error;
}

void symbol_file_open(struct symbol_file *file, struct text_pool *pool, const char *directory,
		      const char *path, const char *build_id)
{
	*file = (struct symbol_file){.descriptor = -1, .debug_descriptor = -1};
	if (!path[0] || path[0] == '[')
		return; /* "[vdso]" and the like have no file */
	elf_version(EV_CURRENT);
	int error = find_object(file, directory, path, build_id);
	find_debug(file, directory, path, build_id);
	open_mini(file);
	if (file->debug)
		return;
	if (path[0] != '/')
		file->problem = text_pool_keep(
			pool, memory_print("cannot find %s: its directory is not known", path));
	else if (error == ESTALE)
		file->problem =
			text_pool_keep(pool, memory_print("%s was changed since the run", path));
	else if (error == ENOEXEC)
		file->problem = text_pool_keep(pool, memory_print("%s is not an ELF file", path));
	else
		file->problem = text_pool_keep(
			pool, memory_print("cannot read %s: %s", path, strerror(error)));
}

void symbol_file_close(struct symbol_file *file)
{
	mini_debug_close(&file->mini);
	if (file->debug != file->elf)
		elf_end(file->debug);
	elf_end(file->elf);
	if (file->debug_descriptor >= 0)
		close(file->debug_descriptor);
	if (file->descriptor >= 0)
		close(file->descriptor);
	*file = (struct symbol_file){.descriptor = -1, .debug_descriptor = -1};
}

/* Executable, and in the file to its end. */
static bool has_code(const GElf_Phdr *header, uint64_t address, size_t file_size)
{
	return header->p_type == PT_LOAD && header->p_flags & PF_X && address >= header->p_vaddr &&
	       address - header->p_vaddr < header->p_filesz && header->p_offset < file_size &&
	       header->p_filesz <= file_size - header->p_offset;
}

bool symbol_file_code(const struct symbol_file *file, GElf_Half machine, uint64_t address,
		      struct symbol_code *code)
{
	GElf_Ehdr header;
	GElf_Phdr segment;
	size_t count = 0, size = 0;
	const char *bytes = file->elf ? elf_rawfile(file->elf, &size) : NULL;

	if (!bytes || !gelf_getehdr(file->elf, &header) || header.e_machine != machine)
		return false;
	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &segment) ||
		    !has_code(&segment, address, size))
			continue;
		*code = (struct symbol_code){
			.bytes = (const unsigned char *)bytes + segment.p_offset,
			.size = segment.p_filesz,
			.at = address - segment.p_vaddr,
		};
		return true;
	}
	return false;
}

bool symbol_file_is_program(const struct symbol_file *file)
{
	size_t count = 0;
	GElf_Phdr header;

	if (!file->elf || elf_getphdrnum(file->elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(file->elf, (int)i, &header) && header.p_type == PT_INTERP)
			return true;
	return false;
}

bool symbol_file_each_needed(const struct symbol_file *file,
			     bool (*look)(void *data, const char *name), void *data)
{
	GElf_Shdr header;
	Elf_Scn *section =
		file->elf ? symbol_file_section(file->elf, NULL, SHT_DYNAMIC, &header) : NULL;
	Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;
	GElf_Dyn entry;

	if (!entries || !header.sh_entsize)
		return false;
	for (size_t i = 0; i < entries->d_size / header.sh_entsize; i++) {
		if (!gelf_getdyn(entries, (int)i, &entry) || entry.d_tag != DT_NEEDED)
			continue;
		const char *name = elf_strptr(file->elf, header.sh_link, entry.d_un.d_val);
		if (!name || !look(data, name))
			return false;
	}
	return true;
}
