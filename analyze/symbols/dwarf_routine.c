/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_routine.h"

#include <dwarf.h>
#include <stddef.h>

enum { STEPS_MAX = 8 }; /* of a chain of references: damaged data may have a ring */

static bool follow(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die next;

	if (!dwarf_formref_die(dwarf_attr(die, name, &attribute), &next))
		return false;
	*die = next;
	return true;
}

/* The one entry that all copies of a routine refer to. */
Dwarf_Die dwarf_routine_common(Dwarf_Die die)
{
	for (int i = 0; i < STEPS_MAX && follow(&die, DW_AT_abstract_origin); i++)
		;
	return die;
}

void dwarf_span_identify(struct dwarf_span *span)
{
	if (span->common)
		return;
	Dwarf_Die common = dwarf_routine_common(span->die);

	span->common = common.addr;
	span->declared = follow(&common, DW_AT_specification) ? common.addr : NULL;
}

bool dwarf_routine_has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

const char *dwarf_routine_name(Dwarf_Die *die)
{
	static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	Dwarf_Attribute attribute;
	const char *name = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attribute));
	return name;
}

bool dwarf_routine_is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	bool is_set = false;

	return dwarf_formflag(dwarf_attr_integrate(die, DW_AT_external, &attribute), &is_set) ==
		       0 &&
	       is_set;
}
