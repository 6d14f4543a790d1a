/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_plt.h"

#include "analyze/symbols/symbol_file.h"

#include <stddef.h>

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

void symbol_plt_read(Elf *elf, symbol_plt_visitor visit, void *context)
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
