/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_names.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/symbol_module.h"

#include <stdlib.h>
#include <string.h>

struct symbol_names {
	struct keyed_table *known; /* struct known */
	struct keyed_table *read;  /* objects whose names are known: pointers to modules */
};

struct known {
	const struct symbol_module *module;
	const char *name; /* in the file, which stays; in a question, the asker's */
	uint64_t address; /* of the first routine that others may use, else of the last one */
	size_t locals;    /* routines of one source file that have the name */
	bool is_exported;
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
	names->read =
		keyed_table_create(sizeof(struct symbol_module *), sizeof(struct symbol_module *));
	return names;
}

void symbol_names_destroy(struct symbol_names *names)
{
	if (!names)
		return;
	keyed_table_destroy(names->known);
	keyed_table_destroy(names->read);
	free(names);
}

/* ---- all names of one object */

static void enter(struct symbol_names *names, const struct known *found, bool is_local)
{
	struct known *known = keyed_table_enter(names->known, found, NULL);

	if (known->is_exported)
		return; /* the first one counts */
	if (is_local) {
		known->locals += !known->locals || known->address != found->address;
		known->address = found->address;
		return;
	}
	known->address = found->address;
	known->is_exported = true;
}

static void read_section(struct symbol_names *names, const struct symbol_module *module, Elf *elf,
			 GElf_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = elf ? symbol_file_section(elf, NULL, type, &header) : NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Sym symbol;

	if (!data || !data->d_buf || !header.sh_entsize)
		return;
	for (size_t i = 1; i < data->d_size / header.sh_entsize; i++) {
		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
		    (GELF_ST_TYPE(symbol.st_info) != STT_FUNC &&
		     GELF_ST_TYPE(symbol.st_info) != STT_GNU_IFUNC))
			continue;
		const struct known found = {
			.module = module,
			.name = elf_strptr(elf, header.sh_link, symbol.st_name),
			.address = symbol.st_value,
		};

		if (found.name)
			enter(names, &found, GELF_ST_BIND(symbol.st_info) == STB_LOCAL);
	}
}

static void read_names(struct symbol_names *names, struct symbol_module *module)
{
	symbol_module_open(module);
	const struct symbol_file *file = &module->file;

	read_section(names, module, file->elf, SHT_DYNSYM);
	read_section(names, module, file->elf, SHT_SYMTAB);
	if (file->debug != file->elf)
		read_section(names, module, file->debug, SHT_SYMTAB);
}

/* NULL: no routine has the name. */
static const struct known *find(struct symbol_names *names, struct symbol_module *module,
				const char *name)
{
	const struct known probe = {.module = module, .name = name};
	const struct symbol_module *const read = module;
	bool is_new;

	keyed_table_enter(names->read, &read, &is_new);
	if (is_new)
		read_names(names, module);
	return keyed_table_find(names->known, &probe);
}

bool symbol_names_find(struct symbol_names *names, struct symbol_module *module, const char *name,
		       uint64_t *address)
{
	const struct known *known = find(names, module, name);

	*address = known ? known->address : 0;
	return known && (known->is_exported || known->locals == 1);
}

bool symbol_names_find_exported(struct symbol_names *names, struct symbol_module *module,
				const char *name, uint64_t *address)
{
	const struct known *known = find(names, module, name);

	*address = known ? known->address : 0;
	return known && known->is_exported;
}
