/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_lack.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/symbol_module.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>

/* By a method that this libelf has not learned: it says so when asked for the contents. */
static bool is_sealed(Elf *elf)
{
	GElf_Shdr header;
	GElf_Chdr compression;
	Elf_Scn *section = symbol_file_section(elf, ".debug_info", 0, &header);

	return section && header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compression) &&
	       elf_compress(section, 0, 0) < 0;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

/* The .dwo file of a unit whose routines are not here; NULL: they are. */
static const char *missing_split(struct dwarf_unit *unit)
{
	const char *name = text_of(&unit->lines, DW_AT_dwo_name);

	if (unit->entries.addr != unit->lines.addr)
		return NULL;
	return name ? name : text_of(&unit->lines, DW_AT_GNU_dwo_name);
}

/* The file that dwz took common parts out into; NULL: it was found, or there is none. */
static const char *missing_alternate(Dwarf *dwarf)
{
	const char *name;
	const void *build_id;

	return dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id) > 0 && !dwarf_getalt(dwarf)
		       ? name
		       : NULL;
}

const char *symbol_lack_find(struct symbol_module *module)
{
	const struct dwarf_units *units = &module->units;
	const char *name = NULL;

	if (!module->is_open || !module->file.debug || !module->has_units)
		return NULL;
	if (!units->dwarf)
		return is_sealed(module->file.debug)
			       ? text_pool_keep(
					 module->pool,
					 memory_print(
						 "lines of %s are not known: its debugging "
						 "information is compressed in a way that "
						 "cannot be read here; objcopy "
						 "--decompress-debug-sections makes it readable",
						 module->path))
			       : NULL;
	name = missing_alternate(units->dwarf);
	for (size_t i = 0; i < units->known_count && !name; i++)
		name = missing_split(units->known[i]);
	return name ? text_pool_keep(
			      module->pool,
			      memory_print("inlined routines of %s are not known: %s, which "
					   "has a part of its debugging information, was not "
					   "found",
					   module->path, name))
		    : NULL;
}
