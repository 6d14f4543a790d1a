/* SPDX-License-Identifier: MIT */
/* A profile in the format of pprof. Numbers of fields: github.com/google/pprof,
 * proto/profile.proto. */
#include "analyze/export/pprof_writer.h"

#include "analyze/base/die.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/export/export_text.h"
#include "analyze/export/protobuf.h"
#include "analyze/export/unique_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum profile_field {
	FIELD_SAMPLE_TYPE = 1,
	FIELD_SAMPLE = 2,
	FIELD_MAPPING = 3,
	FIELD_LOCATION = 4,
	FIELD_FUNCTION = 5,
	FIELD_STRING = 6,
	FIELD_TIME = 9,
	FIELD_DURATION = 10,
	FIELD_PERIOD_TYPE = 11,
	FIELD_PERIOD = 12,
	FIELD_COMMENT = 13,
	FIELD_DEFAULT_TYPE = 14,
};
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 };
enum mapping_field {
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS =
		7, /* then files, lines, inlined ones: all are known as they can be */
	MAPPING_HAS_LAST = 10,
};
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum line_field { LINE_FUNCTION = 1, LINE_NUMBER = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYMBOL = 3, FUNCTION_FILE = 4 };
enum type_field { TYPE_NAME = 1, TYPE_UNIT = 2 };

struct pprof_writer {
	const struct names *names;
	gzFile file;
	struct text_set *kept;
	struct keyed_table *texts, *mappings; /* by address of the interned text */
	struct keyed_table *places;           /* keyed by struct frame without `begin` */
	uint64_t *function_of;                /* by routine; 0: not written yet */
	size_t function_capacity;
	uint64_t functions;
	struct protobuf scratch, inner, label; /* one for each depth of nesting */
	uint64_t *locations;
	size_t location_capacity;
	const struct pprof_type *more; /* types beyond enum pprof_value */
	size_t value_count;
	uint64_t *values; /* of a sample */
};

/* ---- the file */

static void write_bytes(struct pprof_writer *writer, const void *bytes, size_t size)
{
	if (size && gzwrite(writer->file, bytes, (unsigned)size) != (int)size)
		die("cannot write the export: %s", strerror(errno));
}

/* A field of the profile itself, whose content is `inner`. */
static void write_field(struct pprof_writer *writer, enum profile_field field,
			const struct protobuf *inner)
{
	protobuf_reset(&writer->scratch);
	protobuf_message(&writer->scratch, field, inner);
	write_bytes(writer, writer->scratch.bytes, writer->scratch.size);
}

static void write_number(struct pprof_writer *writer, enum profile_field field, uint64_t number)
{
	protobuf_reset(&writer->scratch);
	protobuf_number(&writer->scratch, field, number);
	write_bytes(writer, writer->scratch.bytes, writer->scratch.size);
}

/* ---- what is written once and has a number */

static uint64_t text_number(struct pprof_writer *writer, const char *text)
{
	const char *kept = text_set_keep(writer->kept, text);
	size_t known = keyed_table_count(writer->texts);
	size_t number = keyed_table_number(writer->texts, &kept);

	if (number < known)
		return number;
	/* the reader wants UTF-8 */
	char *clean = export_text(text);

	protobuf_reset(&writer->scratch);
	protobuf_text(&writer->scratch, FIELD_STRING, clean);
	write_bytes(writer, writer->scratch.bytes, writer->scratch.size);
	free(clean);
	return number;
}

/* Numbers of mappings and locations begin with 1. */
static uint64_t module_number(struct pprof_writer *writer, const char *path, const char *build_id)
{
	const char *kept = text_set_keep(writer->kept, path);
	size_t known = keyed_table_count(writer->mappings);
	size_t number = 1 + keyed_table_number(writer->mappings, &kept);

	if (number <= known)
		return number;
	uint64_t file = text_number(writer, path), id = text_number(writer, build_id);

	protobuf_reset(&writer->inner);
	protobuf_number(&writer->inner, MAPPING_ID, number);
	protobuf_number(&writer->inner, MAPPING_FILE, file);
	protobuf_number(&writer->inner, MAPPING_BUILD_ID, id);
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_LAST; field++)
		protobuf_number(&writer->inner, field, 1);
	write_field(writer, FIELD_MAPPING, &writer->inner);
	return number;
}

void pprof_writer_module(struct pprof_writer *writer, const char *path, const char *build_id)
{
	module_number(writer, path, build_id);
}

/* New routines may be added while the profile is written. */
static void grow_functions(struct pprof_writer *writer, size_t routine)
{
	while (writer->function_capacity <= routine)
		writer->function_of =
			memory_grow(writer->function_of, writer->function_capacity,
				    &writer->function_capacity, sizeof *writer->function_of);
}

static uint64_t function_number(struct pprof_writer *writer, size_t number)
{
	const struct routine *routine = names_routine(writer->names, number);

	grow_functions(writer, number);
	if (writer->function_of[number])
		return writer->function_of[number];
	uint64_t name = text_number(writer, export_routine_name(writer->names, number));
	uint64_t file = routine->file ? text_number(writer, routine->file) : 0;

	writer->function_of[number] = ++writer->functions;
	protobuf_reset(&writer->inner);
	protobuf_number(&writer->inner, FUNCTION_ID, writer->functions);
	protobuf_number(&writer->inner, FUNCTION_NAME, name);
	protobuf_number(&writer->inner, FUNCTION_SYMBOL, name);
	protobuf_number(&writer->inner, FUNCTION_FILE, file);
	write_field(writer, FIELD_FUNCTION, &writer->inner);
	return writer->functions;
}

static uint64_t place_number(struct pprof_writer *writer, const struct frame *frame)
{
	size_t known = keyed_table_count(writer->places);
	size_t number = 1 + keyed_table_number(writer->places, frame);

	if (number <= known)
		return number;
	const char *module = names_routine(writer->names, frame->routine)->module;
	uint64_t function = function_number(writer, frame->routine);
	uint64_t mapping = *module ? module_number(writer, module, "") : 0;

	protobuf_reset(&writer->label);
	protobuf_number(&writer->label, LINE_FUNCTION, function);
	protobuf_number(&writer->label, LINE_NUMBER, frame->line);
	protobuf_reset(&writer->inner);
	protobuf_number(&writer->inner, LOCATION_ID, number);
	protobuf_number(&writer->inner, LOCATION_MAPPING, mapping);
	protobuf_message(&writer->inner, LOCATION_LINE, &writer->label);
	write_field(writer, FIELD_LOCATION, &writer->inner);
	return number;
}

/* ---- samples */

static const char *const label_names[PPROF_LABELS] = {
	[PPROF_THREAD] = "thread", [PPROF_LOCK] = "lock", [PPROF_PROCESS] = "process",
	[PPROF_TID] = "tid",       [PPROF_PID] = "pid",   [PPROF_RANK] = "rank",
};

/* Texts get their numbers before the sample is begun, since they are written at once. */
static void number_labels(struct pprof_writer *writer, const struct pprof_labels *labels,
			  uint64_t texts[PPROF_LABELS])
{
	for (size_t i = 0; i < PPROF_LABELS; i++)
		texts[i] = labels->texts[i] ? text_number(writer, labels->texts[i]) : 0;
}

static void add_labels(struct pprof_writer *writer, const struct pprof_labels *labels,
		       const uint64_t texts[PPROF_LABELS])
{
	for (size_t i = 0; i < PPROF_LABELS; i++) {
		if (!texts[i] && !labels->has_number[i])
			continue;
		protobuf_reset(&writer->label);
		protobuf_number(&writer->label, LABEL_KEY, text_number(writer, label_names[i]));
		protobuf_number(&writer->label, LABEL_TEXT, texts[i]);
		if (labels->has_number[i])
			protobuf_number(&writer->label, LABEL_NUMBER, labels->numbers[i]);
		protobuf_message(&writer->inner, SAMPLE_LABEL, &writer->label);
	}
}

static void number_places(struct pprof_writer *writer, const struct frame *frames, size_t count)
{
	while (writer->location_capacity < count)
		writer->locations =
			memory_grow(writer->locations, writer->location_capacity,
				    &writer->location_capacity, sizeof *writer->locations);
	for (size_t i = 0; i < count; i++)
		writer->locations[i] = place_number(writer, &frames[i]);
}

void pprof_writer_sample(struct pprof_writer *writer, const struct frame *frames, size_t count,
			 const struct pprof_labels *labels, const uint64_t values[PPROF_VALUES],
			 const uint64_t *more)
{
	size_t more_bytes = (writer->value_count - PPROF_VALUES) * sizeof *more;
	uint64_t texts[PPROF_LABELS];

	memcpy(writer->values, values, PPROF_VALUES * sizeof *values);
	if (more)
		memcpy(writer->values + PPROF_VALUES, more, more_bytes);
	else
		memset(writer->values + PPROF_VALUES, 0, more_bytes);

	number_places(writer, frames, count);
	number_labels(writer, labels, texts);
	protobuf_reset(&writer->inner);
	protobuf_numbers(&writer->inner, SAMPLE_LOCATIONS, writer->locations, count);
	protobuf_numbers(&writer->inner, SAMPLE_VALUES, writer->values, writer->value_count);
	add_labels(writer, labels, texts);
	write_field(writer, FIELD_SAMPLE, &writer->inner);
}

void pprof_writer_comment(struct pprof_writer *writer, const char *text)
{
	write_number(writer, FIELD_COMMENT, text_number(writer, text));
}

/* ---- life */

static void write_type(struct pprof_writer *writer, enum profile_field field, const char *name,
		       const char *unit)
{
	uint64_t name_number = text_number(writer, name), unit_number = text_number(writer, unit);

	protobuf_reset(&writer->inner);
	protobuf_number(&writer->inner, TYPE_NAME, name_number);
	protobuf_number(&writer->inner, TYPE_UNIT, unit_number);
	write_field(writer, field, &writer->inner);
}

/* Readers choose values by their names. */
static void write_types(struct pprof_writer *writer, const struct pprof_type *types, size_t count,
			struct unique_names *names)
{
	for (size_t i = 0; i < count; i++)
		write_type(writer, FIELD_SAMPLE_TYPE, unique_names_add(names, types[i].name),
			   types[i].unit);
}

static void write_head(struct pprof_writer *writer)
{
	static const struct pprof_type types[PPROF_VALUES] = {
		[PPROF_SAMPLES] = {"samples", "count"},
		[PPROF_CPU] = {"cpu", "nanoseconds"},
		[PPROF_ALONE] = {"alone", "nanoseconds"},
		[PPROF_WAITS] = {"waits", "count"},
		[PPROF_WAIT] = {"wait", "nanoseconds"},
		[PPROF_ELAPSED] = {"elapsed", "nanoseconds"},
	};

	struct unique_names *names = unique_names_create();

	text_number(writer, ""); /* number 0, by definition */
	write_types(writer, types, PPROF_VALUES, names);
	write_types(writer, writer->more, writer->value_count - PPROF_VALUES, names);
	unique_names_destroy(names);
	for (size_t i = 0; i < PPROF_LABELS; i++)
		text_number(writer, label_names[i]);
	write_number(writer, FIELD_DEFAULT_TYPE, text_number(writer, "cpu"));
}

struct pprof_writer *pprof_writer_create(FILE *out, const struct names *names,
					 const struct pprof_type *more, size_t count)
{
	struct pprof_writer *writer = memory_allocate(1, sizeof *writer);
	int descriptor = dup(fileno(out)); /* gzclose closes its own */

	writer->names = names;
	writer->more = more;
	writer->value_count = PPROF_VALUES + count;
	writer->values = memory_allocate(writer->value_count, sizeof *writer->values);
	writer->file = descriptor < 0 ? NULL : gzdopen(descriptor, "wb");
	if (!writer->file)
		die("cannot write the export: %s", strerror(errno));
	writer->kept = text_set_create();
	writer->texts = keyed_table_create(sizeof(char *), sizeof(char *));
	writer->mappings = keyed_table_create(sizeof(char *), sizeof(char *));
	writer->places = keyed_table_create(sizeof(struct frame), offsetof(struct frame, begin));
	write_head(writer);
	return writer;
}

void pprof_writer_finish(struct pprof_writer *writer, uint64_t start_ns, uint64_t duration_ns,
			 uint64_t period_ns)
{
	write_number(writer, FIELD_TIME, start_ns);
	write_number(writer, FIELD_DURATION, duration_ns);
	write_type(writer, FIELD_PERIOD_TYPE, "cpu", "nanoseconds");
	write_number(writer, FIELD_PERIOD, period_ns);
	if (gzclose(writer->file) != Z_OK)
		die("cannot write the export: %s", strerror(errno));
	text_set_destroy(writer->kept);
	keyed_table_destroy(writer->texts);
	keyed_table_destroy(writer->mappings);
	keyed_table_destroy(writer->places);
	free(writer->function_of);
	free(writer->locations);
	free(writer->values);
	protobuf_clear(&writer->scratch);
	protobuf_clear(&writer->inner);
	protobuf_clear(&writer->label);
	free(writer);
}
