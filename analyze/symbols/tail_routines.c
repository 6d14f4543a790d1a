/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/tail_routines.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/dwarf_routine.h"
#include "analyze/symbols/loaded_objects.h"
#include "analyze/symbols/symbol_module.h"
#include "analyze/symbols/symbol_names.h"
#include "analyze/symbols/tail_code.h"

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
	bool has_all_objects; /* that were loaded at the start, but for the system's */
	struct keyed_table *nodes;
	struct keyed_table *sites;
	struct symbol_names *names;
};

/* ---- entries */

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
	Dwarf_Die die = dwarf_routine_common(definition);
	const struct node probe = {.module = module, .entry = die.addr, .die = die};

	return number_of(routines, &probe);
}

static bool find_entry(struct symbol_module *module, uint64_t address, Dwarf_Die *die)
{
	struct dwarf_unit *unit = symbol_module_unit(module, address);
	const struct symbol *symbol =
		symbol_table_find_routine(symbol_module_table(module), address);

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
	const struct symbol *symbol =
		symbol_table_find_routine(symbol_module_table(module), address);

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
		return symbol_file_is_program(&holder->file) || routines->has_all_objects
			       ? number_by_address(routines, holder, address)
			       : TAIL_ANYWHERE;
	if (is_wrapped)
		return TAIL_WRAPPED;
	return routines->rules.is_dead_end(name) ? TAIL_NOWHERE : TAIL_ANYWHERE;
}

/* Code in the entry's own unit. */
static bool find_code(struct symbol_module *module, const Dwarf_Die *entry, Dwarf_Die *definition)
{
	const struct dwarf_unit *unit = unit_of(module, entry);

	for (size_t i = 0; unit && i < unit->routines.count; i++) {
		struct dwarf_span *span = &unit->routines.list[i];

		dwarf_span_identify(span);
		if (span->common != entry->addr && span->declared != entry->addr)
			continue;
		*definition = span->die;
		return true;
	}
	return false;
}

/* Another object of the process may define a routine that a shared object exports, and comes first
 * then. */
static bool is_preemptible(struct tail_routines *routines, struct symbol_module *module,
			   const char *name)
{
	uint64_t address;

	return !symbol_file_is_program(&module->file) &&
	       symbol_names_find_exported(routines->names, module, name, &address);
}

static size_t find_callee(struct tail_routines *routines, struct symbol_module *module,
			  const struct call_site *site)
{
	Dwarf_Die die = site->callee, definition;
	uint64_t address;

	if (!site->has_callee)
		return TAIL_ANYWHERE;
	die = dwarf_routine_common(die);
	const char *name = dwarf_routine_name(&die);
	bool is_declared =
		dwarf_routine_is_external(&die) || dwarf_hasattr(&die, DW_AT_declaration);

	/* the symbol decides: code of the same unit may be a weak definition that lost */
	if (name && is_declared && is_preemptible(routines, module, name))
		return TAIL_ANYWHERE;
	if (name && is_declared && symbol_names_find(routines->names, module, name, &address))
		return number_by_address(routines, module, address);
	if (dwarf_routine_has_code(&die))
		return number_by_entry(routines, module, die);
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

/* NULL: no call is described there. */
static const struct call_site *find_call(struct tail_routines *routines,
					 struct symbol_module *module, uint64_t return_address)
{
	Dwarf_Die routine;

	symbol_module_open(module);
	if (!find_entry(module, return_address - 1, &routine))
		return NULL;
	const struct call_sites *calls = sites_of(routines, &routine);

	for (size_t i = 0; i < calls->count; i++)
		if (calls->list[i].return_address == return_address && !calls->list[i].is_tail)
			return &calls->list[i];
	return NULL;
}

size_t tail_routines_called(struct tail_routines *routines, struct symbol_module *module,
			    uint64_t return_address, bool *is_open)
{
	const struct call_site *call = find_call(routines, module, return_address);

	*is_open = !call || !call->has_callee;
	return call ? find_callee(routines, module, call) : TAIL_ANYWHERE;
}

/* Whose jumps are being read. */
struct reading {
	struct tail_routines *routines;
	struct node *node;
	size_t number;
};

/* A routine that jumps to its own begin, or to a part of itself, is where it was. */
static void add_jump(struct reading *reading, size_t to, uint64_t at)
{
	struct node *node = reading->node;

	if (to == reading->number)
		return;
	node->jumps = memory_grow(node->jumps, node->jump_count, &node->jump_capacity,
				  sizeof *node->jumps);
	node->jumps[node->jump_count++] = (struct tail_jump){to, at};
}

/* The routine that begins at the target of a jump. */
static size_t find_target(struct tail_routines *routines, struct symbol_module *module,
			  uint64_t target)
{
	const struct symbol *symbol =
		symbol_table_find_routine(symbol_module_table(module), target);
	uint64_t address;

	if (!symbol || symbol->start != target)
		return TAIL_ANYWHERE;
	if (!symbol->is_plt)
		return number_by_address(routines, module, target);
	if (is_preemptible(routines, module, symbol->name))
		return TAIL_ANYWHERE;
	return symbol_names_find(routines->names, module, symbol->name, &address)
		       ? number_by_address(routines, module, address)
		       : find_elsewhere(routines, module, symbol->name);
}

static void add_undescribed(void *data, uint64_t at, uint64_t target)
{
	struct reading *reading = data;

	add_jump(reading,
		 target ? find_target(reading->routines, reading->node->module, target)
			: TAIL_ANYWHERE,
		 at);
}

static void add_code(struct reading *reading, Dwarf_Die *definition)
{
	struct node *node = reading->node;
	const struct call_sites *calls = sites_of(reading->routines, definition);

	node->is_known &= calls->is_complete && tail_code_find(&node->module->file, definition,
							       calls, add_undescribed, reading);
	for (size_t i = 0; i < calls->count; i++) {
		const struct call_site *call = &calls->list[i];

		if (call->is_tail)
			add_jump(reading,
				 call->at ? find_callee(reading->routines, node->module, call)
					  : TAIL_ANYWHERE,
				 call->at);
	}
}

/* All of its code: a copy may jump elsewhere than the routine does. */
static void read_jumps(struct reading *reading)
{
	struct node *node = reading->node;
	struct dwarf_unit *unit = unit_of(node->module, &node->die);
	Dwarf_Die *entry = &node->die, definition;
	bool has_any = dwarf_routine_has_code(entry);

	node->is_known = true;
	if (has_any)
		add_code(reading, entry);
	for (size_t i = 0; unit && i < unit->routines.count; i++) {
		dwarf_span_identify(&unit->routines.list[i]);
		definition = unit->routines.list[i].die;
		if (definition.addr == entry->addr || unit->routines.list[i].common != entry->addr)
			continue;
		add_code(reading, &definition);
		has_any = true;
	}
	node->is_known &= has_any;
}

/* A system library's routine that never comes back to the program: one of C's, or a dead end. */
static bool is_closed(const struct tail_routines *routines, const struct node *node)
{
	const struct symbol *symbol =
		symbol_table_find_routine(symbol_module_table(node->module), node->address);

	return routines->rules.is_runtime(node->module->path) && !node->entry && symbol &&
	       (strncmp(symbol->name, "_Z", 2) != 0 || routines->rules.is_dead_end(symbol->name));
}

struct tail_jumps tail_routines_jumps(struct tail_routines *routines, size_t routine)
{
	struct node *node = keyed_table_row(routines->nodes, routine);

	struct reading reading = {routines, node, routine};

	if (!node->is_read) {
		node->is_read = true;
		if (node->entry)
			read_jumps(&reading);
		if (!node->is_known && node->module && !is_closed(routines, node))
			add_jump(&reading, TAIL_ANYWHERE, 0);
	}
	return (struct tail_jumps){node->module, node->jumps, node->jump_count, node->is_known,
				   node->module && routines->rules.is_runtime(node->module->path)};
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
	routines->has_all_objects =
		loaded_objects_are_known(modules, count, routines->rules.is_runtime);
	destroy_nodes(routines->nodes);
	routines->nodes = create_nodes();
	return true;
}

uint32_t tail_routines_object(const struct tail_routines *routines,
			      const struct symbol_module *module)
{
	for (size_t i = 0; module && i < routines->module_count; i++)
		if (routines->modules[i] == module)
			return (uint32_t)i + 1;
	return 0;
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
