/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_names.h"

#include "analyze/base/hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/symbol_module.h"

#include <stdlib.h>
#include <string.h>

struct symbol_names {
	struct keyed_table *known; /* struct known */
};

struct known {
	const struct symbol_module *module;
	const char *name; /* in the debugging information, which stays */
	uint64_t address;
	bool is_found, is_exported;
};

static unsigned hash(const void *row)
{
	const struct known *known = row;

	return hash_text(known->name, hash_bytes(&known->module, sizeof known->module, 0));
}

static bool are_equal(const void *left, const void *right)
{
	const struct known *a = left, *b = right;

	return a->module == b->module && !strcmp(a->name, b->name);
}

struct symbol_names *symbol_names_create(void)
{
	struct symbol_names *names = memory_allocate(1, sizeof *names);

	names->known = keyed_table_create_by(sizeof(struct known), hash, are_equal);
	return names;
}

void symbol_names_destroy(struct symbol_names *names)
{
	if (names)
		keyed_table_destroy(names->known);
	free(names);
}

/* How many routines of one file have the name, and the address of the last one. */
struct search {
	const char *name;
	uint64_t address, local;
	size_t locals;
	bool is_found;
};

static void look_at(struct search *search, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC) || !name ||
	    strcmp(name, search->name) != 0)
		return;
	if (GELF_ST_BIND(symbol->st_info) == STB_LOCAL) {
		search->locals += !search->locals || search->local != symbol->st_value;
		search->local = symbol->st_value;
		return;
	}
	search->address = symbol->st_value;
	search->is_found = true;
}

static void search_section(struct search *search, Elf *elf, GElf_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = elf ? symbol_file_section(elf, NULL, type, &header) : NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;

	if (!data || !data->d_buf || !header.sh_entsize)
		return;
	for (size_t i = 1; i < data->d_size / header.sh_entsize && !search->is_found; i++)
		if (gelf_getsym(data, (int)i, &symbol))
			look_at(search, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name));
}

static void search_file(struct known *known, const struct symbol_file *file)
{
	struct search search = {.name = known->name};

	search_section(&search, file->elf, SHT_DYNSYM);
	search_section(&search, file->elf, SHT_SYMTAB);
	if (file->debug != file->elf)
		search_section(&search, file->debug, SHT_SYMTAB);
	known->is_exported = search.is_found;
	known->is_found = search.is_found || search.locals == 1;
	known->address = search.is_found ? search.address : search.local;
}

static const struct known *find(struct symbol_names *names, struct symbol_module *module,
				const char *name)
{
	const struct known probe = {.module = module, .name = name};
	bool is_new;
	struct known *known = keyed_table_enter(names->known, &probe, &is_new);

	if (is_new) {
		symbol_module_open(module);
		search_file(known, &module->file);
	}
	return known;
}

bool symbol_names_find(struct symbol_names *names, struct symbol_module *module, const char *name,
		       uint64_t *address)
{
	const struct known *known = find(names, module, name);

	*address = known->address;
	return known->is_found;
}

bool symbol_names_find_exported(struct symbol_names *names, struct symbol_module *module,
				const char *name, uint64_t *address)
{
	const struct known *known = find(names, module, name);

	*address = known->address;
	return known->is_exported;
}
