/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbolize.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/atomic_code.h"
#include "analyze/symbols/dwarf_embedded.h"
#include "analyze/symbols/dwarf_member.h"
#include "analyze/symbols/dwarf_place.h"
#include "analyze/symbols/dwarf_variable.h"
#include "analyze/symbols/frame_table.h"
#include "analyze/symbols/name_answers.h"
#include "analyze/symbols/routine_name.h"
#include "analyze/symbols/source_path.h"
#include "analyze/symbols/spin_loop.h"
#include "analyze/symbols/symbol_lack.h"
#include "analyze/symbols/symbol_module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The name of the variable at an address; NULL: none. */
struct data_name {
	uint64_t address;
	const char *name;
};

enum { KEPT_MAX = 64 }; /* runs that are compared have their copies beside each other */

struct symbolizer {
	const char *directory;
	const char *kept[KEPT_MAX + 1]; /* ended by NULL */
	struct symbol_module **modules;
	size_t count, capacity;
	struct text_pool pool;
};

struct symbolizer *symbolizer_create(const char *symbols_directory)
{
	struct symbolizer *symbolizer = memory_allocate(1, sizeof *symbolizer);

	if (symbols_directory)
		symbolizer->directory =
			text_pool_keep(&symbolizer->pool, memory_copy_text(symbols_directory));
	return symbolizer;
}

void symbolizer_add_kept(struct symbolizer *symbolizer, const char *directory)
{
	char *path = realpath(directory, NULL);
	size_t count = 0;

	while (path && symbolizer->kept[count] && strcmp(symbolizer->kept[count], path))
		count++;
	if (path && count < KEPT_MAX)
		symbolizer->kept[count] = text_pool_keep(&symbolizer->pool, memory_copy_text(path));
	free(path);
}

static void destroy_module(struct symbol_module *module, bool is_complete)
{
	for (size_t i = 0; i < module->answer_slots; i++)
		free(module->answers[i].places);
	free(module->answers);
	keyed_table_destroy(module->data_names);
	dwarf_variables_destroy(module->variables);
	symbol_module_close(module, is_complete);
	free(module);
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	bool is_complete = true;

	if (!symbolizer)
		return;
	for (size_t i = 0; i < symbolizer->count;
	     i++) /* routines of one may be on the way from another */
		is_complete &= !symbol_lack_find(symbolizer->modules[i]);
	for (size_t i = 0; i < symbolizer->count; i++)
		destroy_module(symbolizer->modules[i], is_complete);
	free(symbolizer->modules);
	text_pool_clear(&symbolizer->pool);
	free(symbolizer);
}

static struct symbol_module *add_module(struct symbolizer *symbolizer, const char *path,
					const char *build_id)
{
	struct symbol_module *module = memory_allocate(1, sizeof *module);
	struct text_pool *pool = &symbolizer->pool;

	module->pool = pool;
	module->directory = symbolizer->directory;
	module->kept = symbolizer->kept;
	module->path = text_pool_keep(pool, memory_copy_text(path));
	module->build_id = text_pool_keep(pool, memory_copy_text(build_id));
	const char *slash = strrchr(module->path, '/');
	module->short_name = slash ? slash + 1 : module->path;
	symbolizer->modules = memory_grow(symbolizer->modules, symbolizer->count,
					  &symbolizer->capacity, sizeof(struct symbol_module *));
	return symbolizer->modules[symbolizer->count++] = module;
}

struct symbol_module *symbolizer_find_module(struct symbolizer *symbolizer, const char *path,
					     const char *build_id)
{
	for (size_t i = 0; i < symbolizer->count; i++) {
		struct symbol_module *module = symbolizer->modules[i];

		if (strcmp(module->path, path) == 0 && strcmp(module->build_id, build_id) == 0)
			return module;
	}
	return add_module(symbolizer, path, build_id);
}

const char *symbol_module_problem(const struct symbol_module *module)
{
	symbol_module_open((struct symbol_module *)module);
	return module->file.problem;
}

const char *symbol_module_source(struct symbol_module *module, const char *path)
{
	return dwarf_embedded_find(symbol_module_units(module), path);
}

const char *symbol_module_path(const struct symbol_module *module)
{
	return module->path;
}

const char *symbol_module_build_id(const struct symbol_module *module)
{
	return module->build_id;
}

/* ---- what earlier reports found */

/* NULL: it is not known. */
static const struct name_answer *recall(struct symbol_module *module, enum name_kind kind,
					uint64_t address)
{
	const struct name_question question = {.kind = kind, .address = address};
	struct name_answers *kept = symbol_module_answers(module);

	return kept ? name_answers_find(kept, &question) : NULL;
}

static void keep(struct symbol_module *module, enum name_kind kind, uint64_t address,
		 const struct symbol_place *places, size_t count)
{
	const struct name_question question = {.kind = kind, .address = address};
	struct name_answers *kept = symbol_module_answers(module);
	struct kept_name names[DWARF_PLACES_MAX];

	for (size_t i = 0; kept && i < count; i++)
		names[i] = (struct kept_name){.place = places[i]};
	if (kept)
		name_answers_add(kept, &question, names, count);
}

/* ---- code */

static const char *name_from_symbol(struct text_pool *pool, const struct symbol *symbol)
{
	const char *name = routine_name(pool, symbol->name);

	return symbol->is_plt ? text_pool_keep(pool, memory_print("%s@plt", name)) : name;
}

/* gcc's debugging information calls a lambda and the code generated for it just `operator()` and
 * `_M_run`; the linkage name also tells the routine it belongs to, and which lambda it is. */
static bool is_better_mangled(struct text_pool *pool, const struct symbol *symbol,
			      const struct dwarf_place *place)
{
	return symbol && !place->is_mangled && routine_name_demangle(pool, symbol->name);
}

/* The routine's name: as the source has it, except that an exported alias is the better known one:
 * `read`, not `__libc_read`. */
static const char *choose_name(struct symbol_module *module, uint64_t address,
			       const struct symbol *symbol, const struct dwarf_place *place)
{
	struct text_pool *pool = module->pool;

	if (place && place->routine && !is_better_mangled(pool, symbol, place) &&
	    (place->is_mangled || !symbol || *place->routine != '_' || *symbol->name == '_'))
		return place->routine;
	if (symbol)
		return name_from_symbol(pool, symbol);
	uint64_t start = frame_table_start(module->file.elf, address);
	return text_pool_keep(pool, memory_print("%s+0x%" PRIx64, module->short_name, start));
}

static const char *file_of(struct symbol_module *module, struct dwarf_unit *unit, const char *file)
{
	return file ? text_pool_keep(module->pool, source_path_in(dwarf_unit_directory(unit), file))
		    : NULL;
}

static void fill(struct symbol_module *module, struct symbol_answer *answer)
{
	struct dwarf_place places[DWARF_PLACES_MAX];
	struct dwarf_unit *unit = symbol_module_unit(module, answer->address);
	const struct symbol *symbol =
		symbol_table_find_routine(symbol_module_table(module), answer->address);
	size_t count = unit ? dwarf_places_find(unit, module->pool, answer->address,
						symbol ? symbol->name : NULL, places)
			    : 0;

	answer->count = count ? count : 1;
	answer->places = memory_allocate(answer->count, sizeof *answer->places);
	for (size_t i = 0; i < count; i++)
		answer->places[i] = (struct symbol_place){
			.routine = places[i].routine ? places[i].routine : "[inlined]",
			.file = file_of(module, unit, places[i].file),
			.line = places[i].line,
			.first = places[i].first,
			.last = places[i].last,
			.begin = places[i].begin,
			.is_inlined = i + 1 < count,
		};
	answer->places[answer->count - 1].routine =
		choose_name(module, answer->address, symbol, count ? &places[count - 1] : NULL);
}

static bool fill_from(const struct name_answer *known, struct symbol_answer *answer)
{
	if (!known || !known->count)
		return false;
	answer->count = known->count;
	answer->places = memory_allocate(answer->count, sizeof *answer->places);
	for (size_t i = 0; i < answer->count; i++)
		answer->places[i] = known->names[i].place;
	return true;
}

static struct symbol_answer *find_slot(const struct symbol_module *module, uint64_t address)
{
	size_t mask = module->answer_slots - 1;
	size_t slot = (address * 0x9e3779b97f4a7c15u) >> 32 &
		      mask; /* golden ratio: spreads aligned addresses */

	while (module->answers[slot].places && module->answers[slot].address != address)
		slot = (slot + 1) & mask;
	return &module->answers[slot];
}

static void make_room(struct symbol_module *module)
{
	struct symbol_answer *old = module->answers;
	size_t old_slots = module->answer_slots;

	if (2 * module->answer_count < old_slots)
		return;
	module->answer_slots = old_slots ? 2 * old_slots : 256;
	module->answers = memory_allocate(module->answer_slots, sizeof *module->answers);
	for (size_t i = 0; i < old_slots; i++)
		if (old[i].places)
			*find_slot(module, old[i].address) = old[i];
	free(old);
}

size_t symbolize_code(struct symbol_module *module, uint64_t address,
		      const struct symbol_place **places)
{
	symbol_module_open(module);
	make_room(module);
	struct symbol_answer *answer = find_slot(module, address);
	if (!answer->places) {
		answer->address = address;
		if (!fill_from(recall(module, NAME_CODE, address), answer)) {
			fill(module, answer);
			keep(module, NAME_CODE, address, answer->places, answer->count);
		}
		module->answer_count++;
	}
	*places = answer->places;
	return answer->count;
}

static void find_entry(struct symbol_module *module, uint64_t address, struct symbol_place *place)
{
	const struct symbol_place *places;
	size_t count = symbolize_code(module, address, &places);
	struct dwarf_unit *unit = symbol_module_unit(module, address);
	struct dwarf_place entry = {0};

	*place = places[count - 1]; /* the routine itself */
	if (!unit)
		return;
	dwarf_entry_line(unit, address, &entry);
	/* the very first instruction may belong to an inlined routine: then the line of the call is
	 * the best guess */
	const char *file = file_of(module, unit, entry.file);

	if (!file || (place->file && strcmp(file, place->file)))
		return;
	place->file = file;
	place->line = entry.line;
	place->first = place->last = 0;
}

void symbolize_entry(struct symbol_module *module, uint64_t address, struct symbol_place *place)
{
	const struct name_answer *known = recall(module, NAME_ENTRY, address);

	if (known && known->count == 1) {
		*place = known->names[0].place;
		return;
	}
	find_entry(module, address, place);
	keep(module, NAME_ENTRY, address, place, 1);
}

/* ---- data */

/* "[7].lock"; NULL: debugging information does not tell. */
static char *find_member(struct symbol_module *module, const struct symbol *symbol, uint64_t offset)
{
	Dwarf_Die variable;

	if (!module->variables)
		module->variables = dwarf_variables_create(symbol_module_units(module)->dwarf);
	if (!dwarf_variable_find(module->variables, symbol->start, symbol->name, &variable))
		return NULL;
	return dwarf_member_path(&variable, offset);
}

static const char *find_data(struct symbol_module *module, uint64_t address)
{
	struct text_pool *pool = module->pool;
	const struct symbol *symbol =
		symbol_table_find_variable(symbol_module_table(module), address);

	if (!symbol)
		return NULL;
	const char *name = variable_name(pool, symbol->name);
	uint64_t offset = address - symbol->start;
	char *member = find_member(module, symbol, offset);

	if (member) {
		name = text_pool_keep(pool, memory_print("%s%s", name, member));
		free(member);
	} else if (offset) {
		name = text_pool_keep(pool, memory_print("%s+%" PRIu64, name, offset));
	}
	return name;
}

static const char *name_data(struct symbol_module *module, uint64_t address)
{
	const struct name_answer *known = recall(module, NAME_DATA, address);

	if (known)
		return known->count ? known->names[0].place.routine : NULL;
	const struct symbol_place found = {.routine = find_data(module, address)};

	keep(module, NAME_DATA, address, &found, found.routine != NULL);
	return found.routine;
}

bool symbolize_is_waiting(struct symbol_module *module, uint64_t address)
{
	struct symbol_code code;

	symbol_module_open(module);
	return symbol_file_code(&module->file, EM_X86_64, address, &code) &&
	       spin_loop_holds(code.bytes, code.size, code.at);
}

bool symbolize_is_atomic(struct symbol_module *module, uint64_t address)
{
	const struct symbol_file *file = &module->file;
	struct symbol_code code;

	symbol_module_open(module);
	if (symbol_file_code(file, EM_X86_64, address, &code))
		return atomic_code_x86(code.bytes, code.size, code.at);
	return symbol_file_code(file, EM_AARCH64, address, &code) &&
	       atomic_code_arm(code.bytes, code.size, code.at);
}

const char *symbolize_data(struct symbol_module *module, uint64_t address)
{
	const struct data_name probe = {.address = address};

	symbol_module_open(module);
	if (!module->data_names)
		module->data_names = keyed_table_create(sizeof probe, sizeof probe.address);
	bool is_new;
	struct data_name *answer = keyed_table_enter(module->data_names, &probe, &is_new);

	if (is_new)
		answer->name = name_data(module, address);
	return answer->name;
}
