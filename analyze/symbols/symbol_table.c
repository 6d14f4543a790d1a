/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_table.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/symbol_file.h"

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the entries of the procedure linkage table, which have no symbols: entry i serves relocation
 * i of .rela.plt. That order is the System V ABI's, and holds for x86-64 and AArch64; entries of
 * .plt.got are not named */

/* name: the symbol that is called; it points into the file. */
typedef void (*symbol_plt_visitor)(void *context, uint64_t start, uint64_t size, const char *name);

/* Where entry 0 begins in the section, and the size of entries; of these sections the first one
 * that a file has is used. */
static const struct layout {
	int machine;
	const char *section;
	uint64_t head;
	uint64_t entry;
} layouts[] = {
	{EM_X86_64, ".plt.sec", 0, 16}, /* with -fcf-protection; .plt then holds the lazy half */
	{EM_X86_64, ".plt", 16, 16},
	{EM_AARCH64, ".plt", 32, 16},
};

static const struct layout *find_layout(Elf *elf, GElf_Shdr *section)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return NULL;
	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (layouts[i].machine == header.e_machine &&
		    symbol_file_section(elf, layouts[i].section, 0, section))
			return &layouts[i];
	return NULL;
}

static const char *called_name(Elf *elf, const GElf_Shdr *symbols, Elf_Data *data, GElf_Xword info)
{
	GElf_Sym symbol;

	if (!gelf_getsym(data, (int)GELF_R_SYM(info), &symbol))
		return NULL;
	return elf_strptr(elf, symbols->sh_link, symbol.st_name);
}

static void symbol_plt_read(Elf *elf, symbol_plt_visitor visit, void *context)
{
	GElf_Shdr plt, relocations, symbols;
	const struct layout *layout = find_layout(elf, &plt);
	Elf_Scn *section = layout ? symbol_file_section(elf, ".rela.plt", 0, &relocations) : NULL;
	Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;

	if (!entries || !relocations.sh_entsize)
		return;
	Elf_Scn *symbol_section = elf_getscn(elf, relocations.sh_link);
	Elf_Data *data = symbol_section ? elf_getdata(symbol_section, NULL) : NULL;
	if (!data || !gelf_getshdr(symbol_section, &symbols))
		return;
	for (size_t i = 0; i < entries->d_size / relocations.sh_entsize; i++) {
		uint64_t offset = layout->head + i * layout->entry;
		GElf_Rela relocation;

		if (offset + layout->entry > plt.sh_size ||
		    !gelf_getrela(entries, (int)i, &relocation))
			return;
		const char *name = called_name(elf, &symbols, data, relocation.r_info);
		if (name && *name)
			visit(context, plt.sh_addr + offset, layout->entry, name);
	}
}

/* ---- routines and variables */

static void add(struct symbol **list, size_t *count, size_t *capacity, const struct symbol *symbol)
{
	*list = memory_grow(*list, *count, capacity, sizeof **list);
	(*list)[(*count)++] = *symbol;
}

static bool is_routine(int type, const GElf_Shdr *section)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC ||
	       (type == STT_NOTYPE && (section->sh_flags & SHF_EXECINSTR));
}

/* Marks of the assembler ($x, $d of AArch64), section names and local labels are not names of
 * routines. */
static bool is_label(const char *name)
{
	return !*name || *name == '$' || strncmp(name, ".L", 2) == 0;
}

static void add_symbol(struct symbol_table *table, Elf *elf, const GElf_Sym *raw, const char *name)
{
	int type = GELF_ST_TYPE(raw->st_info);
	GElf_Shdr section;

	if (!name || is_label(name) || raw->st_shndx == SHN_UNDEF ||
	    raw->st_shndx >= SHN_LORESERVE ||
	    !gelf_getshdr(elf_getscn(elf, raw->st_shndx), &section))
		return;
	struct symbol symbol = {
		.start = raw->st_value,
		.end = raw->st_size ? raw->st_value + raw->st_size
				    : section.sh_addr + section.sh_size,
		.name = name,
		.is_sized = raw->st_size != 0,
		.bind = GELF_ST_BIND(raw->st_info),
	};
	if (is_routine(type, &section))
		add(&table->routines, &table->routine_count, &table->routine_capacity, &symbol);
	else if (type == STT_OBJECT && raw->st_size)
		add(&table->variables, &table->variable_count, &table->variable_capacity, &symbol);
}

/* False: the file has no section of that type with contents. */
static bool read_section(struct symbol_table *table, Elf *elf, GElf_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = elf ? symbol_file_section(elf, NULL, type, &header) : NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

	if (!data || !data->d_buf || !header.sh_entsize)
		return false;
	size_t count = data->d_size / header.sh_entsize;
	for (size_t i = 1; i < count; i++) {
		GElf_Sym raw;

		if (gelf_getsym(data, (int)i, &raw))
			add_symbol(table, elf, &raw, elf_strptr(elf, header.sh_link, raw.st_name));
	}
	return count > 1;
}

static size_t underscores(const char *name)
{
	return strncmp(name, "_Z", 2) == 0 ? 0 : strspn(name, "_");
}

static int bind_rank(const struct symbol *symbol)
{
	return symbol->bind == STB_GLOBAL ? 0 : symbol->bind == STB_WEAK ? 1 : 2;
}

/* By address, and the best name first: a lookup takes the first of a group. */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->is_sized != b->is_sized)
		return a->is_sized ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name) ? -1 : 1;
	if (bind_rank(a) != bind_rank(b))
		return bind_rank(a) - bind_rank(b);
	return strcmp(a->name, b->name);
}

/* One name per place remains; a symbol without a size ends where the next one begins. */
static size_t sort(struct symbol *list, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(list, count, sizeof *list, compare);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || list[i].start != list[kept - 1].start)
			list[kept++] = list[i];
	for (size_t i = 0; i + 1 < kept; i++)
		if (!list[i].is_sized && list[i].end > list[i + 1].start)
			list[i].end = list[i + 1].start;
	return kept;
}

static void add_plt_entry(void *context, uint64_t start, uint64_t size, const char *name)
{
	struct symbol_table *table = context;

	add(&table->routines, &table->routine_count, &table->routine_capacity,
	    &(struct symbol){.start = start,
			     .end = start + size,
			     .name = name,
			     .is_plt = true,
			     .is_sized = true,
			     .bind = STB_LOCAL});
}

void symbol_table_read(struct symbol_table *table, const struct symbol_file *file)
{
	Elf *elf = file->elf;

	*table = (struct symbol_table){0};
	if (!read_section(table, elf, SHT_SYMTAB) &&
	    !read_section(table, file->debug, SHT_SYMTAB)) {
		read_section(table, elf, SHT_DYNSYM);
		read_section(table, file->mini.elf, SHT_SYMTAB);
	}
	if (elf)
		symbol_plt_read(elf, add_plt_entry, table);
	table->routine_count = sort(table->routines, table->routine_count);
	table->variable_count = sort(table->variables, table->variable_count);
}

void symbol_table_clear(struct symbol_table *table)
{
	free(table->routines);
	free(table->variables);
	*table = (struct symbol_table){0};
}

/* How many symbols before the nearest one may cover an address: a large object with labels inside.
 */
enum { LOOK_BACK = 8 };

static const struct symbol *find(const struct symbol *list, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t back = 0; back < LOOK_BACK && low > back; back++)
		if (address < list[low - 1 - back].end)
			return &list[low - 1 - back];
	return NULL;
}

const struct symbol *symbol_table_find_routine(const struct symbol_table *table, uint64_t address)
{
	return find(table->routines, table->routine_count, address);
}

const struct symbol *symbol_table_find_variable(const struct symbol_table *table, uint64_t address)
{
	return find(table->variables, table->variable_count, address);
}
