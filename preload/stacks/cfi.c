/* SPDX-License-Identifier: MIT */
#include "preload/stacks/cfi.h"

#include "preload/stacks/dwarf_numbers.h"

#include <dwarf.h>
#include <stddef.h>
#include <string.h>

/* AArch64: as DW_CFA_GNU_window_save, where the signature depends on the place too; dwarf.h does
 * not have it yet. */
enum { CFA_NEGATE_RA_STATE_WITH_PC = 0x2c };

enum { REMEMBERED_ROWS = 4 }; /* compilers nest remember_state once */

/* Pointer encodings: the format in the lower half, what it is relative to in the upper. */
enum { ENC_FORMAT = 0x0f, ENC_RELATIVE = 0x70 };

/* ---- pointers ---- */

static uint64_t read_format(const uint8_t **at, uint8_t encoding)
{
	switch (encoding & ENC_FORMAT) {
	case DW_EH_PE_uleb128:
		return read_uleb(at);
	case DW_EH_PE_sleb128:
		return (uint64_t)read_sleb(at);
	case DW_EH_PE_udata2:
		return read_fixed(at, 2);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)read_fixed(at, 2);
	case DW_EH_PE_udata4:
		return read_fixed(at, 4);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)read_fixed(at, 4);
	default:
		return read_fixed(at, 8);
	}
}

static uint64_t read_pointer(const uint8_t **at, uint8_t encoding)
{
	uint64_t place = (uint64_t)*at;
	uint64_t value = read_format(at, encoding);

	return (encoding & ENC_RELATIVE) == DW_EH_PE_pcrel ? value + place : value;
}

/* ---- finding the entry ---- */

/* The table of .eh_frame_hdr: pairs (start of a function, its FDE), both relative to the header,
 * sorted. */
struct index_entry {
	int32_t start, entry;
};

static const uint8_t *find_entry(const uint8_t *header, uint64_t pc)
{
	const uint8_t *at = header + 4;
	uint8_t pointer_encoding = header[1], count_encoding = header[2];

	if (header[0] != 1 || count_encoding == DW_EH_PE_omit ||
	    header[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return NULL;
	read_pointer(&at, pointer_encoding);
	uint64_t count = read_pointer(&at, count_encoding);
	const struct index_entry *table = (const void *)at;
	int64_t wanted = (int64_t)(pc - (uint64_t)header);
	uint64_t low = 0, high = count;

	if (!count || wanted < table[0].start)
		return NULL;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		if (table[middle].start <= wanted)
			low = middle;
		else
			high = middle;
	}
	return header + table[low].entry;
}

/* What a CIE and an FDE say together. */
struct entry {
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_column;
	uint64_t start;
	uint8_t pointer_encoding;
	bool is_signal_frame;
	const uint8_t *cie_program, *cie_end, *program, *end;
};

static const uint8_t *skip_length(const uint8_t *at, const uint8_t **end)
{
	uint64_t length = read_fixed(&at, 4);

	if (length == 0xffffffff)
		length = read_fixed(&at, 8);
	*end = at + length;
	return at;
}

static bool read_cie(const uint8_t *at, struct entry *entry)
{
	const char *augmentation;

	at = skip_length(at, &entry->cie_end) + 4;
	uint8_t version = *at++;
	augmentation = (const char *)at;
	at += strlen(augmentation) + 1;
	entry->code_align = read_uleb(&at);
	entry->data_align = read_sleb(&at);
	entry->return_column = version == 1 ? *at++ : read_uleb(&at);
	entry->pointer_encoding = DW_EH_PE_absptr;
	entry->is_signal_frame = false;
	entry->cie_program = at;
	if (!*augmentation)
		return true;
	if (*augmentation++ != 'z')
		return false;
	uint64_t length = read_uleb(&at);
	entry->cie_program = at + length;
	for (; *augmentation; augmentation++) {
		if (*augmentation == 'R') {
			entry->pointer_encoding = *at++;
		} else if (*augmentation == 'P') {
			uint8_t encoding = *at++;
			read_pointer(&at, encoding);
		} else if (*augmentation == 'L') {
			at++;
		} else if (*augmentation == 'S') {
			entry->is_signal_frame = true;
		} else if (*augmentation !=
			   'B') { /* B: AArch64, return addresses signed with key B */
			return false;
		}
	}
	return true;
}

static bool read_entry(const uint8_t *fde, uint64_t pc, struct entry *entry)
{
	const uint8_t *at = skip_length(fde, &entry->end);
	const uint8_t *field = at;
	uint32_t distance = (uint32_t)read_fixed(&at, 4);

	if (!distance || !read_cie(field - distance, entry))
		return false;
	entry->start = read_pointer(&at, entry->pointer_encoding);
	uint64_t size = read_format(&at, entry->pointer_encoding);
	if (pc - entry->start >= size)
		return false; /* a gap: functions without information */
	uint64_t length = read_uleb(&at);
	entry->program = at + length;
	return true;
}

/* ---- running the program ---- */

struct machine {
	const struct entry *entry;
	struct cfi_row row, initial, remembered[REMEMBERED_ROWS];
	unsigned depth;
	uint64_t location;
};

static struct cfi_register *rule_of(struct machine *machine, uint64_t column)
{
	if (column == ARCH_FP)
		return &machine->row.fp;
	return column == machine->entry->return_column ? &machine->row.ra : NULL;
}

static void set_rule(struct machine *machine, uint64_t column, enum cfi_how how, int64_t offset)
{
	struct cfi_register *rule = rule_of(machine, column);

	if (rule)
		*rule = (struct cfi_register){(uint8_t)how, (int32_t)offset};
}

static void restore_rule(struct machine *machine, uint64_t column)
{
	if (column == ARCH_FP)
		machine->row.fp = machine->initial.fp;
	else if (column == machine->entry->return_column)
		machine->row.ra = machine->initial.ra;
}

static void set_cfa(struct machine *machine, uint64_t column, int64_t offset)
{
	machine->row.cfa_expression = NULL;
	machine->row.cfa_register = (uint32_t)column;
	machine->row.cfa_offset = offset;
}

static bool remember(struct machine *machine)
{
	if (machine->depth == REMEMBERED_ROWS)
		return false;
	machine->remembered[machine->depth++] = machine->row;
	return true;
}

static bool recall(struct machine *machine)
{
	if (!machine->depth)
		return false;
	machine->row = machine->remembered[--machine->depth];
	return true;
}

static void skip_expression(const uint8_t **at)
{
	uint64_t bytes = read_uleb(at);

	*at += bytes;
}

/* Of the expressions for saved registers, only "frame pointer + number" is understood. */
static void set_expression(struct machine *machine, uint64_t column, const uint8_t **at)
{
	uint64_t bytes = read_uleb(at);
	const uint8_t *operand = *at + 1, *end = *at + bytes;
	bool is_at_fp = bytes > 1 && **at == DW_OP_breg0 + ARCH_FP;
	int64_t offset = is_at_fp ? read_sleb(&operand) : 0;

	*at = end;
	set_rule(machine, column, is_at_fp && operand == end ? CFI_AT_FP : CFI_UNSUPPORTED, offset);
}

/* Operations on rules of registers: those with a column as first operand. */
static bool run_register_operation(struct machine *machine, uint8_t operation, const uint8_t **at)
{
	uint64_t column = read_uleb(at);
	int64_t align = machine->entry->data_align;

	switch (operation) {
	case DW_CFA_offset_extended:
		set_rule(machine, column, CFI_OFFSET, (int64_t)read_uleb(at) * align);
		return true;
	case DW_CFA_restore_extended:
		restore_rule(machine, column);
		return true;
	case DW_CFA_undefined:
		set_rule(machine, column, CFI_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		set_rule(machine, column, CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		read_uleb(at);
		set_rule(machine, column, CFI_UNSUPPORTED, 0);
		return true;
	case DW_CFA_def_cfa:
		set_cfa(machine, column, (int64_t)read_uleb(at));
		return true;
	case DW_CFA_expression:
		set_expression(machine, column, at);
		return true;
	case DW_CFA_val_expression:
		skip_expression(at);
		set_rule(machine, column, CFI_UNSUPPORTED, 0);
		return true;
	case DW_CFA_offset_extended_sf:
		set_rule(machine, column, CFI_OFFSET, read_sleb(at) * align);
		return true;
	case DW_CFA_def_cfa_sf:
		set_cfa(machine, column, read_sleb(at) * align);
		return true;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		read_uleb(at);
		set_rule(machine, column, CFI_UNSUPPORTED, 0);
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set_rule(machine, column, CFI_OFFSET, -(int64_t)read_uleb(at) * align);
		return true;
	default:
		return false;
	}
}

static bool run_operation(struct machine *machine, uint8_t operation, const uint8_t **at)
{
	struct cfi_row *row = &machine->row;

	switch (operation) {
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* AArch64: return address signed or not; we strip it anyway */
	case CFA_NEGATE_RA_STATE_WITH_PC:
		return true;
	case DW_CFA_remember_state:
		return remember(machine);
	case DW_CFA_restore_state:
		return recall(machine);
	case DW_CFA_def_cfa_register:
		row->cfa_expression = NULL;
		row->cfa_register = (uint32_t)read_uleb(at);
		return true;
	case DW_CFA_def_cfa_offset:
		row->cfa_offset = (int64_t)read_uleb(at);
		return true;
	case DW_CFA_def_cfa_expression:
		row->cfa_expression_bytes = (uint32_t)read_uleb(at);
		row->cfa_expression = *at;
		*at += row->cfa_expression_bytes;
		return true;
	case DW_CFA_def_cfa_offset_sf:
		row->cfa_offset = read_sleb(at) * machine->entry->data_align;
		return true;
	case DW_CFA_GNU_args_size:
		read_uleb(at);
		return true;
	default:
		return run_register_operation(machine, operation, at);
	}
}

/* Moves *location on for an advance operation; false: it is another operation. */
static bool read_advance(const struct machine *machine, uint8_t operation, const uint8_t **at,
			 uint64_t *location)
{
	if ((operation & 0xc0) == DW_CFA_advance_loc)
		*location += (operation & 0x3f) * machine->entry->code_align;
	else if (operation == DW_CFA_set_loc)
		*location = read_pointer(at, machine->entry->pointer_encoding);
	else if (operation >= DW_CFA_advance_loc1 && operation <= DW_CFA_advance_loc4)
		*location += read_fixed(at, 1u << (operation - DW_CFA_advance_loc1)) *
			     machine->entry->code_align;
	else
		return false;
	return true;
}

static bool run(struct machine *machine, const uint8_t *at, const uint8_t *end, uint64_t pc)
{
	while (at < end) {
		uint8_t operation = *at++;

		if (read_advance(machine, operation, &at, &machine->location)) {
			if (machine->location > pc)
				return true;
		} else if ((operation & 0xc0) == DW_CFA_offset) {
			set_rule(machine, operation & 0x3f, CFI_OFFSET,
				 (int64_t)read_uleb(&at) * machine->entry->data_align);
		} else if ((operation & 0xc0) == DW_CFA_restore) {
			restore_rule(machine, operation & 0x3f);
		} else if (!run_operation(machine, operation, &at)) {
			return false;
		}
	}
	return true;
}

bool cfi_find(const uint8_t *eh_frame_header, uint64_t pc, struct cfi_row *row)
{
	struct entry entry;
	const uint8_t *fde = eh_frame_header ? find_entry(eh_frame_header, pc) : NULL;

	if (!fde || !read_entry(fde, pc, &entry))
		return false;
	struct machine machine = {.entry = &entry, .location = entry.start};
	if (!run(&machine, entry.cie_program, entry.cie_end, UINT64_MAX))
		return false;
	machine.initial = machine.row;
	if (!run(&machine, entry.program, entry.end, pc))
		return false;
	*row = machine.row;
	row->is_signal_frame = entry.is_signal_frame;
	return true;
}

uint64_t cfi_routine(const uint8_t *eh_frame_header, uint64_t pc)
{
	struct entry entry;
	const uint8_t *fde = eh_frame_header ? find_entry(eh_frame_header, pc) : NULL;

	return fde && read_entry(fde, pc, &entry) ? entry.start : 0;
}
