/* SPDX-License-Identifier: MIT */
#include "analyze/print/value.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>

double value_figure(struct value value)
{
	switch (value.kind) {
	case VALUE_SECONDS:
	case VALUE_COUNT:
	case VALUE_SIZE:
	case VALUE_FLAG:
		return (double)value.whole;
	case VALUE_REAL_SECONDS:
	case VALUE_NUMBER:
	case VALUE_PERCENT:
		return value.real;
	default:
		return NAN;
	}
}

struct json_object *value_json(struct value value)
{
	struct json_object *object = NULL;

	switch (value.kind) {
	case VALUE_NONE:
	case VALUE_UNKNOWN:
	case VALUE_ROW:
		return NULL;
	case VALUE_SECONDS:
		return json_seconds(value.whole);
	case VALUE_REAL_SECONDS:
		return json_seconds_of(value.real);
	case VALUE_COUNT:
	case VALUE_SIZE:
		return json_count(value.whole);
	case VALUE_NUMBER:
	case VALUE_PERCENT:
		return json_number(value.real);
	case VALUE_FLAG:
		return json_object_new_boolean(value.whole != 0);
	case VALUE_WORD:
		return json_text(value.word);
	case VALUE_TEXT:
		object = json_text(value.text);
		free(value.text);
		return object;
	case VALUE_JSON:
		return value.json;
	}
	return NULL;
}

static char *plain_text(struct value value)
{
	switch (value.kind) {
	case VALUE_UNKNOWN:
		return memory_copy_text("?");
	case VALUE_SECONDS:
		return text_seconds((double)value.whole);
	case VALUE_REAL_SECONDS:
		return text_seconds(value.real);
	case VALUE_COUNT:
		return text_count(value.whole);
	case VALUE_SIZE:
		return memory_copy_text(quantity_size(value.whole).text);
	case VALUE_NUMBER:
		return text_number(value.real);
	case VALUE_PERCENT:
		return text_percent(value.real);
	case VALUE_FLAG:
		return memory_copy_text(value.whole ? "yes" : "no");
	case VALUE_WORD:
		return memory_copy_text(value.word ? value.word : "");
	case VALUE_TEXT:
		return value.text ? value.text : memory_copy_text("");
	case VALUE_JSON:
		json_object_put(value.json);
		return memory_copy_text("");
	case VALUE_NONE:
	case VALUE_ROW:
		break;
	}
	return memory_copy_text("");
}

char *value_text(struct value value, bool is_utf8)
{
	return text_graded(plain_text(value), value.grade, is_utf8);
}
