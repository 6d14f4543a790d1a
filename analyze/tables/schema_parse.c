/* SPDX-License-Identifier: MIT */
#include "analyze/tables/schema_parse.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA_TITLE  "ptrace schema 1"
#define ROW_BYTES_MAX 65535 /* a block states it in 16 bits */
#define ARRAY_MAX     4096
#define CAUSES_LENGTH 16 /* of "causes", which older files have; later ones state it */

enum column_word {
	WORD_COLUMN,
	WORD_TYPE,
	WORD_NAME,
	WORD_UNIT,
	WORD_ROLE,
	WORD_MERGE,
	WORD_COUNT
};

/* "textN", "histN" and "causesN" give their length themselves. */
static bool parse_array(const char *type, const char *stem, uint32_t *length)
{
	size_t stem_bytes = strlen(stem);
	char *end;

	if (strncmp(type, stem, stem_bytes))
		return false;
	unsigned long number = strtoul(type + stem_bytes, &end, 10);

	*length = (uint32_t)number;
	return end != type + stem_bytes && !*end && number > 0 && number <= ARRAY_MAX;
}

static bool parse_causes(const char *type, struct schema_column *column)
{
	column->elements = CAUSES_LENGTH;
	column->is_of_causes =
		!strcmp(type, "causes") || parse_array(type, "causes", &column->elements);
	if (column->is_of_causes)
		column->element_bytes = 8;
	return column->is_of_causes;
}

static bool parse_type(const char *type, struct schema_column *column)
{
	static const struct {
		const char *name;
		enum column_type type;
		uint32_t bytes, elements;
	} plain[] = {
		{"u8", COLUMN_INTEGER, 1, 1},  {"u16", COLUMN_INTEGER, 2, 1},
		{"u32", COLUMN_INTEGER, 4, 1}, {"u64", COLUMN_INTEGER, 8, 1},
		{"str", COLUMN_STRING, 8, 1},
	};

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (!strcmp(type, plain[i].name)) {
			column->type = plain[i].type;
			column->element_bytes = plain[i].bytes;
			column->elements = plain[i].elements;
			return true;
		}
	if (parse_array(type, "text", &column->elements)) {
		column->type = COLUMN_TEXT;
		column->element_bytes = 1;
		return true;
	}
	column->type = COLUMN_INTEGER;
	column->element_bytes = 4;
	return parse_causes(type, column) || parse_array(type, "hist", &column->elements);
}

static void parse_role(const char *role, struct schema_column *column)
{
	if (!strcmp(role, "key"))
		column->role = ROLE_KEY;
	else if (!strcmp(role, "value"))
		column->role = ROLE_VALUE;
	else if (!strcmp(role, "internal"))
		column->role = ROLE_INTERNAL;
	else {
		column->role = ROLE_REFERENCE;
		column->references = role;
	}
}

/* An unknown rule keeps the first value: the least that is always true. */
static enum merge_rule parse_merge(const char *rule)
{
	static const char *const names[] = {"key", "sum", "min", "max", "first", "last"};

	for (size_t i = 0; i < MERGE_RULE_COUNT; i++)
		if (!strcmp(rule, names[i]))
			return (enum merge_rule)i;
	return strcmp(rule, "histogram") ? MERGE_FIRST : MERGE_SUM;
}

/* Cuts the line at its first colon; what follows it is the meaning. */
static const char *cut_meaning(char *line)
{
	char *colon = strchr(line, ':');

	if (!colon)
		return "";
	*colon = '\0';
	return colon + 1 + (colon[1] == ' ');
}

static void add_table(struct schema *schema, char *line)
{
	const char *meaning = cut_meaning(line);
	char *name = line + strlen("table ");

	schema->tables = memory_grow(schema->tables, schema->table_count, &schema->table_capacity,
				     sizeof *schema->tables);
	schema->tables[schema->table_count++] =
		(struct table_schema){.name = name, .meaning = meaning, .is_usable = true};
}

static void add_column(struct table_schema *table, char *line)
{
	struct schema_column column = {.meaning = cut_meaning(line), .offset = table->row_bytes};
	char *words[WORD_COUNT] = {NULL}, *rest = line;

	if (!table->is_usable)
		return;
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (!(words[i] = strtok_r(i ? NULL : line, " ", &rest))) {
			table->is_usable = false;
			return;
		}
	column.name = words[WORD_NAME];
	column.unit = words[WORD_UNIT];
	parse_role(words[WORD_ROLE], &column);
	column.merge = parse_merge(words[WORD_MERGE]);

	/* Columns after one of unknown width have no known offset; the table's rows cannot even be
	 * counted. */
	if (!parse_type(words[WORD_TYPE], &column) ||
	    table->row_bytes + column.element_bytes * column.elements > ROW_BYTES_MAX) {
		table->is_usable = false;
		table->strange_column = column.name;
		table->strange_type = words[WORD_TYPE];
		return;
	}
	table->row_bytes += column.element_bytes * column.elements;
	table->columns = memory_grow(table->columns, table->column_count, &table->column_capacity,
				     sizeof *table->columns);
	table->columns[table->column_count++] = column;
}

struct schema *schema_parse(const char *text, size_t bytes, const char **problem)
{
	struct schema *schema = memory_allocate(1, sizeof *schema);

	schema->text = memory_allocate(bytes + 1, 1);
	memcpy(schema->text, text, bytes);

	char *rest = NULL, *line = strtok_r(schema->text, "\n", &rest);

	if (!line || strcmp(line, SCHEMA_TITLE)) {
		*problem = "its schema text is of an unknown kind";
		schema_destroy(schema);
		return NULL;
	}
	while ((line = strtok_r(NULL, "\n", &rest))) {
		if (!strncmp(line, "table ", strlen("table ")))
			add_table(schema, line);
		else if (!strncmp(line, "column ", strlen("column ")) && schema->table_count)
			add_column(&schema->tables[schema->table_count - 1], line);
	}
	return schema;
}

void schema_destroy(struct schema *schema)
{
	if (!schema)
		return;
	for (size_t i = 0; i < schema->table_count; i++)
		free(schema->tables[i].columns);
	free(schema->tables);
	free(schema->text);
	free(schema);
}

const struct table_schema *schema_find_table(const struct schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->table_count; i++)
		if (!strcmp(schema->tables[i].name, name))
			return &schema->tables[i];
	return NULL;
}

const struct schema_column *schema_find_column(const struct table_schema *table, const char *name)
{
	for (size_t i = 0; table && i < table->column_count; i++)
		if (!strcmp(table->columns[i].name, name))
			return &table->columns[i];
	return NULL;
}

uint64_t schema_read_integer(const struct schema_column *column, const unsigned char *row,
			     size_t element)
{
	uint64_t value = 0;

	if (!column || column->type == COLUMN_TEXT || element >= column->elements)
		return 0;
	memcpy(&value, row + column->offset + element * column->element_bytes,
	       column->element_bytes);
	return value;
}

void schema_read_numbers(const struct schema_column *column, const unsigned char *row,
			 uint64_t *numbers, size_t count)
{
	bool is_moved = column && column->is_of_causes && column->elements != count;
	size_t plain = is_moved ? column->elements - 1 : count;

	memset(numbers, 0, count * sizeof *numbers);
	for (size_t i = 0; i < plain; i++)
		numbers[!is_moved || i < count - 1 ? i : 0] += schema_read_integer(column, row, i);
	if (is_moved)
		numbers[count - 1] = schema_read_integer(column, row, plain);
}

void schema_write_integer(const struct schema_column *column, unsigned char *row, size_t element,
			  uint64_t value)
{
	memcpy(row + column->offset + element * column->element_bytes, &value,
	       column->element_bytes);
}
