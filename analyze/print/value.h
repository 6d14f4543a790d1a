/* SPDX-License-Identifier: MIT */
/* One figure or text of a row, and how it looks in each output.
 *
 * A value is made for one output and given away to it: value_json or value_text release what it
 * holds. Context: pure. */
#pragma once

#include "analyze/model/common/grade.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

enum value_kind {
	VALUE_NONE,         /* null; an empty cell */
	VALUE_UNKNOWN,      /* null; "?" */
	VALUE_SECONDS,      /* of whole nanoseconds */
	VALUE_REAL_SECONDS, /* of nanoseconds with a fraction; NAN: unknown */
	VALUE_COUNT,
	VALUE_SIZE,    /* bytes */
	VALUE_NUMBER,  /* NAN: unknown */
	VALUE_PERCENT, /* NAN: unknown */
	VALUE_FLAG,
	VALUE_WORD, /* a text that outlives the value; NULL: null, and an empty cell */
	VALUE_TEXT, /* the same, but the value owns it */
	VALUE_JSON, /* an object or a list, which the value owns; it has no text */
	VALUE_ROW   /* a row of the model, for carried columns */
};

struct value {
	enum value_kind kind;
	enum grade grade; /* its mark in texts; JSON has grades in fields of their own */
	union {
		uint64_t whole;
		double real;
		const char *word;
		char *text;
		struct json_object *json;
		const void *row;
	};
};

static inline struct value value_graded(enum grade grade, struct value value)
{
	value.grade = grade;
	return value;
}

/* NAN: unknown, or no figure. */
double value_figure(struct value value);
struct json_object *value_json(struct value value);
/* Released by the caller. */
char *value_text(struct value value, bool is_utf8);
