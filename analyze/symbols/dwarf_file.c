/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_file.h"

#include <dwarf.h>
#include <stddef.h>

const char *dwarf_declared_in(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	Dwarf_Files *files;
	Dwarf_Word file;
	size_t count;

	/* file numbers belong to the unit that the attribute is in */
	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
	    dwarf_formudata(&attribute, &file) != 0 ||
	    !dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count)
		return NULL;
	return dwarf_filesrc(files, file, NULL, NULL);
}
