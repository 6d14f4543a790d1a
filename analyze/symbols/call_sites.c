/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/call_sites.h"

#include "analyze/base/memory.h"

#include <dwarf.h>

enum { NESTING_MAX = 64 }; /* of the tree: damaged data shall not exhaust the stack */

static bool find_address(Dwarf_Die *die, unsigned name, uint64_t *address)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr value;

	if (dwarf_formaddr(dwarf_attr(die, name, &attribute), &value) != 0)
		return false;
	*address = value;
	return true;
}

static bool has_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool is_set = false;

	return dwarf_formflag(dwarf_attr(die, name, &attribute), &is_set) == 0 && is_set;
}

/* gcc and DWARF 4 give the address behind the instruction, clang that of a jump itself. */
static void add_site(struct call_sites *sites, Dwarf_Die *die)
{
	bool is_gnu = dwarf_tag(die) == DW_TAG_GNU_call_site;
	struct call_site site = {
		.is_tail = has_flag(die, is_gnu ? DW_AT_GNU_tail_call : DW_AT_call_tail_call),
	};
	Dwarf_Attribute attribute;

	if (find_address(die, is_gnu ? DW_AT_low_pc : DW_AT_call_return_pc, &site.return_address))
		site.at = site.return_address - 1;
	find_address(die, DW_AT_call_pc, &site.at);
	site.has_callee =
		dwarf_formref_die(dwarf_attr(die,
					     is_gnu ? DW_AT_abstract_origin : DW_AT_call_origin,
					     &attribute),
				  &site.callee) != NULL;
	sites->list = memory_grow(sites->list, sites->count, &sites->capacity, sizeof *sites->list);
	sites->list[sites->count++] = site;
}

/* Calls in inlined code are those of the routine around it. */
static void search(struct call_sites *sites, Dwarf_Die *parent, int nesting)
{
	Dwarf_Die die;

	if (nesting == NESTING_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			add_site(sites, &die);
			break;
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			search(sites, &die, nesting + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

void call_sites_read(struct call_sites *sites, Dwarf_Die *routine)
{
	static const unsigned flags[] = {DW_AT_call_all_calls, DW_AT_call_all_tail_calls,
					 DW_AT_GNU_all_call_sites, DW_AT_GNU_all_tail_call_sites};

	search(sites, routine, 0);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		sites->is_complete |= has_flag(routine, flags[i]);
}
