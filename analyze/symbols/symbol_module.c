/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/symbol_module.h"

void symbol_module_open(struct symbol_module *module)
{
	struct symbol_file *file = &module->file;

	if (module->is_open)
		return;
	module->is_open = true;
	symbol_file_open(file, module->pool, module->directory, module->path, module->build_id);
	symbol_table_read(&module->table, file->elf, file->debug);
}

struct dwarf_units *symbol_module_units(struct symbol_module *module)
{
	symbol_module_open(module);
	if (!module->has_units)
		dwarf_units_open(&module->units, module->file.debug);
	module->has_units = true;
	return &module->units;
}

struct dwarf_unit *symbol_module_unit(struct symbol_module *module, uint64_t address)
{
	return dwarf_units_find(symbol_module_units(module), address);
}
