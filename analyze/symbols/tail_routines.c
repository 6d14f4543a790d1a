/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/tail_routines.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/symbol_module.h"
#include "analyze/symbols/symbol_names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The key comes first. A routine without debugging information is known by its address. */
struct node {
	struct symbol_module *module;
	const void *entry; /* where its entry lies in memory; NULL: it has none */
	uint64_t address;  /* 0 if there is an entry */
	Dwarf_Die die;
	struct tail_jump *jumps;
	size_t jump_count, jump_capacity;
	bool is_read, is_known;
};

/* The calls of a routine's code, by its entry. */
struct sites {
	const void *entry;
	struct call_sites calls;
};

struct tail_routines {
	struct tail_rules rules;
	struct symbol_module **modules;
	size_t module_count;
	struct keyed_table *nodes;
	struct keyed_table *sites;
	struct symbol_names *names;
};

/* ---- entries */

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
static Dwarf_Die common_entry(Dwarf_Die die)
{
	for (int i = 0; i < STEPS_MAX && follow(&die, DW_AT_abstract_origin); i++)
		;
	return die;
}

/* The definition of a routine may refer to a declaration of it. */
static bool is_of(Dwarf_Die definition, const Dwarf_Die *entry)
{
	Dwarf_Die common = common_entry(definition);

	return common.addr == entry->addr ||
	       (follow(&common, DW_AT_specification) && common.addr == entry->addr);
}

static bool has_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

static const char *linkage_name(Dwarf_Die *die)
{
	static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	Dwarf_Attribute attribute;
	const char *name = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attribute));
	return name;
}

static bool is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	bool is_set = false;

	return dwarf_formflag(dwarf_attr_integrate(die, DW_AT_external, &attribute), &is_set) ==
		       0 &&
	       is_set;
}

/* The unit of an entry, if addresses fell into it. */
static struct dwarf_unit *unit_of(struct symbol_module *module, const Dwarf_Die *die)
{
	struct dwarf_units *units = symbol_module_units(module);

	for (size_t i = 0; i < units->known_count; i++)
		if (units->known[i]->entries.cu == die->cu || units->known[i]->lines.cu == die->cu)
			return units->known[i];
	return NULL;
}

/* ---- routines by number */

static size_t number_of(struct tail_routines *routines, const struct node *probe)
{
	return keyed_table_number(routines->nodes, probe);
}

static size_t number_by_entry(struct tail_routines *routines, struct symbol_module *module,
			      Dwarf_Die definition)
{
	Dwarf_Die die = common_entry(definition);
	const struct node probe = {.module = module, .entry = die.addr, .die = die};

	return number_of(routines, &probe);
}

static bool find_entry(struct symbol_module *module, uint64_t address, Dwarf_Die *die)
{
	struct dwarf_unit *unit = symbol_module_unit(module, address);
	const struct symbol *symbol = symbol_table_find_routine(&module->table, address);

	return unit && dwarf_unit_find_routine(unit, address, symbol ? symbol->name : NULL, die);
}

static size_t number_by_address(struct tail_routines *routines, struct symbol_module *module,
				uint64_t address)
{
	const struct node probe = {.module = module, .address = address};
	Dwarf_Die die;

	return find_entry(module, address, &die) ? number_by_entry(routines, module, die)
						 : number_of(routines, &probe);
}

size_t tail_routines_at(struct tail_routines *routines, struct symbol_module *module,
			uint64_t address)
{
	Dwarf_Die die;

	symbol_module_open(module);
	const struct symbol *symbol = symbol_table_find_routine(&module->table, address);

	if (routines->rules.is_profiler(module->path) ||
	    (symbol && routines->rules.is_runtime(module->path) &&
	     routines->rules.is_wrapped(symbol->name)))
		return TAIL_WRAPPED;
	if (find_entry(module, address, &die))
		return number_by_entry(routines, module, die);
	return symbol && !symbol->is_plt ? number_by_address(routines, module, symbol->start)
					 : TAIL_ANYWHERE;
}

/* In another object than the caller's. Only what a single one of them has is known. A call that is
 * recorded reaches the profiler, though a library has it too. */
static size_t find_elsewhere(struct tail_routines *routines, const struct symbol_module *caller,
			     const char *name)
{
	struct symbol_module *holder = NULL;
	uint64_t address = 0, found;
	bool is_wrapped = routines->rules.is_wrapped(name);

	for (size_t i = 0; i < routines->module_count; i++) {
		struct symbol_module *module = routines->modules[i];

		if (module == caller || routines->rules.is_profiler(module->path) ||
		    (is_wrapped && routines->rules.is_runtime(module->path)) ||
		    !symbol_names_find_exported(routines->names, module, name, &found))
			continue;
		if (holder)
			return TAIL_ANYWHERE;
		holder = module;
		address = found;
	}
	if (holder)
		return number_by_address(routines, holder, address);
	if (is_wrapped)
		return TAIL_WRAPPED;
	return routines->rules.is_dead_end(name) ? TAIL_NOWHERE : TAIL_ANYWHERE;
}

/* Code in the entry's own unit. */
static bool find_code(struct symbol_module *module, const Dwarf_Die *entry, Dwarf_Die *definition)
{
	const struct dwarf_unit *unit = unit_of(module, entry);

	for (size_t i = 0; unit && i < unit->routines.count; i++) {
		if (!is_of(unit->routines.list[i].die, entry))
			continue;
		*definition = unit->routines.list[i].die;
		return true;
	}
	return false;
}

static size_t find_callee(struct tail_routines *routines, struct symbol_module *module,
			  const struct call_site *site)
{
	Dwarf_Die die = site->callee, definition;
	uint64_t address;

	if (!site->has_callee)
		return TAIL_ANYWHERE;
	die = common_entry(die);
	if (has_code(&die))
		return number_by_entry(routines, module, die);
	const char *name = linkage_name(&die);
	bool is_declared = is_external(&die) || dwarf_hasattr(&die, DW_AT_declaration);

	if (name && is_declared && symbol_names_find(routines->names, module, name, &address))
		return number_by_address(routines, module, address);
	if (find_code(module, &die, &definition))
		return number_by_entry(routines, module, definition);
	return name && is_declared ? find_elsewhere(routines, module, name) : TAIL_ANYWHERE;
}

/* ---- calls */

static const struct call_sites *sites_of(struct tail_routines *routines, Dwarf_Die *routine)
{
	const struct sites probe = {.entry = routine->addr};
	bool is_new;
	struct sites *sites = keyed_table_enter(routines->sites, &probe, &is_new);

	if (is_new)
		call_sites_read(&sites->calls, routine);
	return &sites->calls;
}

size_t tail_routines_called(struct tail_routines *routines, struct symbol_module *module,
			    uint64_t return_address)
{
	Dwarf_Die routine;

	symbol_module_open(module);
	if (!find_entry(module, return_address - 1, &routine))
		return TAIL_ANYWHERE;
	const struct call_sites *calls = sites_of(routines, &routine);

	for (size_t i = 0; i < calls->count; i++)
		if (calls->list[i].return_address == return_address && !calls->list[i].is_tail)
			return find_callee(routines, module, &calls->list[i]);
	return TAIL_ANYWHERE;
}

static void add_jump(struct node *node, size_t to, uint64_t at)
{
	node->jumps = memory_grow(node->jumps, node->jump_count, &node->jump_capacity,
				  sizeof *node->jumps);
	node->jumps[node->jump_count++] = (struct tail_jump){to, at};
}

/* A routine that jumps to its own begin, or to a part of itself, is where it was. */
static void add_code(struct tail_routines *routines, struct node *node, size_t number,
		     Dwarf_Die *definition)
{
	const struct call_sites *calls = sites_of(routines, definition);

	node->is_known &= calls->is_complete;
	for (size_t i = 0; i < calls->count; i++) {
		const struct call_site *call = &calls->list[i];
		size_t to = TAIL_ANYWHERE;

		if (!call->is_tail)
			continue;
		if (call->at)
			to = find_callee(routines, node->module, call);
		if (to != number && to != TAIL_NOWHERE)
			add_jump(node, to, call->at);
	}
}

/* All of its code: a copy may jump elsewhere than the routine does. */
static void read_jumps(struct tail_routines *routines, struct node *node, size_t number)
{
	struct dwarf_unit *unit = unit_of(node->module, &node->die);
	Dwarf_Die *entry = &node->die, definition;
	bool has_any = has_code(entry);

	node->is_known = true;
	if (has_any)
		add_code(routines, node, number, entry);
	for (size_t i = 0; unit && i < unit->routines.count; i++) {
		definition = unit->routines.list[i].die;
		if (definition.addr == entry->addr || common_entry(definition).addr != entry->addr)
			continue;
		add_code(routines, node, number, &definition);
		has_any = true;
	}
	node->is_known &= has_any;
}

struct tail_jumps tail_routines_jumps(struct tail_routines *routines, size_t routine)
{
	struct node *node = keyed_table_row(routines->nodes, routine);

	if (!node->is_read) {
		node->is_read = true;
		if (node->entry)
			read_jumps(routines, node, routine);
		if (!node->is_known && node->module &&
		    !routines->rules.is_runtime(node->module->path))
			add_jump(node, TAIL_ANYWHERE, 0);
	}
	return (struct tail_jumps){node->module, node->jumps, node->jump_count, node->is_known};
}

/* ---- life */

static struct keyed_table *create_nodes(void)
{
	static const struct node wrapped = {.module = NULL};
	struct keyed_table *nodes = keyed_table_create(sizeof wrapped, offsetof(struct node, die));

	keyed_table_number(nodes, &wrapped);
	return nodes;
}

static void destroy_nodes(struct keyed_table *nodes)
{
	for (size_t i = 0; i < keyed_table_count(nodes); i++)
		free(((struct node *)keyed_table_row(nodes, i))->jumps);
	keyed_table_destroy(nodes);
}

bool tail_routines_use(struct tail_routines *routines, struct symbol_module *const *modules,
		       size_t count)
{
	if (count == routines->module_count &&
	    (!count || !memcmp(modules, routines->modules, count * sizeof *modules)))
		return false;
	free(routines->modules);
	routines->modules = memory_allocate(count + 1, sizeof *routines->modules);
	memcpy(routines->modules, modules, count * sizeof *modules);
	routines->module_count = count;
	destroy_nodes(routines->nodes);
	routines->nodes = create_nodes();
	return true;
}

struct tail_routines *tail_routines_create(const struct tail_rules *rules)
{
	struct tail_routines *routines = memory_allocate(1, sizeof *routines);

	routines->rules = *rules;
	routines->nodes = create_nodes();
	routines->sites = keyed_table_create(sizeof(struct sites), offsetof(struct sites, calls));
	routines->names = symbol_names_create();
	return routines;
}

void tail_routines_destroy(struct tail_routines *routines)
{
	if (!routines)
		return;
	for (size_t i = 0; i < keyed_table_count(routines->sites); i++)
		free(((struct sites *)keyed_table_row(routines->sites, i))->calls.list);
	keyed_table_destroy(routines->sites);
	destroy_nodes(routines->nodes);
	symbol_names_destroy(routines->names);
	free(routines->modules);
	free(routines);
}
