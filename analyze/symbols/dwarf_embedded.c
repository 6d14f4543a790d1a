/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/dwarf_embedded.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/source_path.h"
#include "analyze/symbols/symbol_file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define CONTENT_SOURCE 0x2001 /* DW_LNCT_LLVM_source; not in libdw's dwarf.h */

enum { FORMATS_MAX = 255 }; /* their number is one byte */

/* What is left of a section or of a part of it. Reading beyond its end gives 0 and sets is_over. */
struct cursor {
	const unsigned char *at, *end;
	bool is_over, is_wide; /* is_wide: offsets have 8 bytes */
};

struct tables {
	Elf_Data *lines, *line_texts, *texts;
};

/* How an entry of a table is written. */
struct format {
	uint64_t content[FORMATS_MAX], form[FORMATS_MAX];
	unsigned count;
};

struct entry {
	const char *path, *source;
	uint64_t directory;
};

static const unsigned char *take(struct cursor *cursor, uint64_t bytes)
{
	const unsigned char *at = cursor->at;

	if (cursor->is_over || bytes > (uint64_t)(cursor->end - at)) {
		cursor->is_over = true;
		return NULL;
	}
	cursor->at += bytes;
	return at;
}

/* Of this machine's byte order: of another one no line is looked up. */
static uint64_t number(struct cursor *cursor, unsigned bytes)
{
	const unsigned char *at = take(cursor, bytes);
	uint64_t value = 0;

	for (unsigned i = 0; at && i < bytes; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

static uint64_t uleb(struct cursor *cursor)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = number(cursor, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static const char *text_here(struct cursor *cursor)
{
	const unsigned char *start = cursor->at;
	const unsigned char *zero =
		cursor->is_over ? NULL : memchr(start, 0, (size_t)(cursor->end - start));

	if (!zero)
		cursor->is_over = true; /* or a damaged table would be read for ever */
	return zero && take(cursor, (uint64_t)(zero - start) + 1) ? (const char *)start : NULL;
}

static const char *text_at(const Elf_Data *data, uint64_t offset)
{
	return data && data->d_buf && offset < data->d_size &&
			       memchr((const char *)data->d_buf + offset, 0, data->d_size - offset)
		       ? (const char *)data->d_buf + offset
		       : NULL;
}

/* The value of a form: a text, or else a number; false: a form that this reader does not know. */
static bool read_value(const struct tables *tables, struct cursor *cursor, uint64_t form,
		       const char **text, uint64_t *value)
{
	unsigned offset_bytes = cursor->is_wide ? 8 : 4;

	*text = NULL;
	*value = 0;
	switch (form) {
	case DW_FORM_string:
		*text = text_here(cursor);
		return true;
	case DW_FORM_line_strp:
		*text = text_at(tables->line_texts, number(cursor, offset_bytes));
		return true;
	case DW_FORM_strp:
		*text = text_at(tables->texts, number(cursor, offset_bytes));
		return true;
	case DW_FORM_udata:
		*value = uleb(cursor);
		return true;
	case DW_FORM_data1:
		*value = number(cursor, 1);
		return true;
	case DW_FORM_data2:
		*value = number(cursor, 2);
		return true;
	case DW_FORM_data4:
		*value = number(cursor, 4);
		return true;
	case DW_FORM_data8:
		*value = number(cursor, 8);
		return true;
	case DW_FORM_data16:
		return take(cursor, 16) != NULL;
	case DW_FORM_block:
		return take(cursor, uleb(cursor)) != NULL;
	default:
		return false;
	}
}

static void read_format(struct cursor *cursor, struct format *format)
{
	format->count = (unsigned)number(cursor, 1);
	for (unsigned i = 0; i < format->count; i++) {
		format->content[i] = uleb(cursor);
		format->form[i] = uleb(cursor);
	}
}

static bool read_entry(const struct tables *tables, struct cursor *cursor,
		       const struct format *format, struct entry *entry)
{
	*entry = (struct entry){NULL, NULL, 0};
	for (unsigned i = 0; i < format->count; i++) {
		const char *text;
		uint64_t value;

		if (!read_value(tables, cursor, format->form[i], &text, &value))
			return false;
		if (format->content[i] == DW_LNCT_path)
			entry->path = text;
		else if (format->content[i] == DW_LNCT_directory_index)
			entry->directory = value;
		else if (format->content[i] == CONTENT_SOURCE)
			entry->source = text;
	}
	return !cursor->is_over;
}

/* Directories of a line table; others than the first are relative to it. */
struct directories {
	char **list;
	size_t count, capacity;
};

static bool read_directories(const struct tables *tables, struct cursor *cursor,
			     const struct format *format, struct directories *directories)
{
	struct entry entry;

	for (uint64_t left = uleb(cursor); left && !cursor->is_over; left--) {
		if (!read_entry(tables, cursor, format, &entry) || !entry.path)
			return false;
		directories->list = memory_grow(directories->list, directories->count,
						&directories->capacity, sizeof(char *));
		directories->list[directories->count] = source_path_in(
			directories->count ? directories->list[0] : NULL, entry.path);
		directories->count++;
	}
	return !cursor->is_over;
}

/* Does the table that the cursor stands on contain texts of source files? */
static bool has_sources(const struct tables *tables, struct cursor cursor)
{
	struct format format;
	struct entry entry;

	read_format(&cursor, &format);
	for (uint64_t left = uleb(&cursor); left; left--)
		if (!format.count || !read_entry(tables, &cursor, &format, &entry))
			return false;
	read_format(&cursor, &format);
	for (unsigned i = 0; i < format.count; i++)
		if (format.content[i] == CONTENT_SOURCE)
			return !cursor.is_over;
	return false;
}

static bool is_named(const struct directories *directories, const struct entry *entry,
		     const char *path)
{
	if (!entry->path || entry->directory >= directories->count)
		return false;
	char *whole = source_path_in(directories->list[entry->directory], entry->path);
	bool is_same = strcmp(whole, path) == 0;

	free(whole);
	return is_same;
}

/* The text in the table that the cursor stands on. */
static const char *find_in(const struct tables *tables, struct cursor *cursor, const char *path)
{
	struct directories directories = {.count = 0};
	const char *source = NULL;
	struct format format;
	struct entry entry;

	read_format(cursor, &format);
	if (read_directories(tables, cursor, &format, &directories)) {
		read_format(cursor, &format);
		for (uint64_t left = uleb(cursor); left && !source; left--) {
			if (!read_entry(tables, cursor, &format, &entry))
				break;
			/* an empty text stands for a file that the compiler could not read */
			if (entry.source && *entry.source && is_named(&directories, &entry, path))
				source = entry.source;
		}
	}
	for (size_t i = 0; i < directories.count; i++)
		free(directories.list[i]);
	free(directories.list);
	return source;
}

/* Cuts the next table off; false: there is none, or the rest cannot be read. */
static bool next_table(struct cursor *section, struct cursor *table)
{
	uint64_t length = number(section, 4);
	bool is_wide = length == 0xffffffff;

	if (is_wide)
		length = number(section, 8);
	const unsigned char *start = take(section, length);

	if (!start)
		return false;
	*table = (struct cursor){start, start + length, false, is_wide};
	return true;
}

/* To the format of directories; false: a table of another version. */
static bool skip_head(struct cursor *table)
{
	if (number(table, 2) != 5)
		return false;
	take(table, 2); /* bytes of an address, and of a segment */
	number(table, table->is_wide ? 8 : 4);
	take(table, 5); /* of instructions and lines */
	uint64_t opcodes = number(table, 1);

	take(table, opcodes ? opcodes - 1 : 0);
	return !table->is_over;
}

/* NULL also if several units have different texts for the path: which one is meant is not known. */
static const char *search(const struct tables *tables, const char *path, bool *has_any)
{
	const unsigned char *bytes = tables->lines->d_buf;
	struct cursor section = {bytes, bytes + tables->lines->d_size, false, false}, table;
	const char *source = NULL, *other;

	*has_any = false;
	while (section.at < section.end && next_table(&section, &table)) {
		if (!skip_head(&table) || !has_sources(tables, table))
			continue;
		*has_any = true;
		other = find_in(tables, &table, path);
		if (source && other && strcmp(source, other) != 0)
			return NULL;
		source = other ? other : source;
	}
	return source;
}

/* The compiler keeps the text that it read. If that says itself where lines are from ("#line 3" or
 * "# 3"), they are numbered by another text. */
static bool has_line_directive(const char *text)
{
	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += strspn(at, " \t\r\n");
		if (*at != '#')
			continue;
		at += 1 + strspn(at + 1, " \t");
		if (strncmp(at, "line", 4) == 0)
			at += 4 + strspn(at + 4, " \t");
		if (*at >= '0' && *at <= '9')
			return true;
	}
	return false;
}

/* Inflated, as libdw does with the sections that it reads itself. */
static Elf_Data *data_of(Elf *elf, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = symbol_file_section(elf, name, 0, &header);

	if (!section || header.sh_type == SHT_NOBITS ||
	    (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0))
		return NULL;
	return elf_getdata(section, NULL);
}

const char *dwarf_embedded_find(struct dwarf_units *units, const char *path)
{
	Elf *elf = units->dwarf && !units->has_no_sources ? dwarf_getelf(units->dwarf) : NULL;
	bool has_any = false;

	if (!elf)
		return NULL;
	const struct tables tables = {data_of(elf, ".debug_line"), data_of(elf, ".debug_line_str"),
				      data_of(elf, ".debug_str")};
	const char *source =
		tables.lines && tables.lines->d_buf ? search(&tables, path, &has_any) : NULL;

	units->has_no_sources = !has_any;
	return source && !has_line_directive(source) ? source : NULL;
}
