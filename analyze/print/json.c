/* SPDX-License-Identifier: MIT */
#include "analyze/print/json.h"

#include "analyze/base/memory.h"
#include "common/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_LENGTH 340 /* the largest double has 309 digits before the point */

/* "1.500000000" -> "1.5", "2.000000000" -> "2.0": a number stays a fraction for typed readers. */
static void cut_zeros(char *number)
{
	char *last = number + strlen(number) - 1;

	while (*last == '0' && last[-1] != '.')
		*last-- = '\0';
}

struct json_object *json_seconds(uint64_t ns)
{
	char text[NUMBER_LENGTH];

	snprintf(text, sizeof text, "%llu.%09llu", (unsigned long long)(ns / 1000000000u),
		 (unsigned long long)(ns % 1000000000u));
	cut_zeros(text);
	return json_object_new_double_s((double)ns / 1e9, text);
}

struct json_object *json_number(double number)
{
	char text[NUMBER_LENGTH];

	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof text, "%.9f", number);
	cut_zeros(text);
	return json_object_new_double_s(number, text);
}

struct json_object *json_seconds_of(double ns)
{
	return json_number(ns / 1e9);
}

struct json_object *json_count(uint64_t count)
{
	return json_object_new_uint64(count);
}

struct json_object *json_text(const char *text)
{
	if (!text)
		return NULL;
	char *valid = memory_allocate(strlen(text) * 3 + 1, 1), *end = valid;

	while (*text) {
		size_t bytes = utf8_bytes(text);

		memcpy(end, bytes ? text : UTF8_REPLACEMENT, bytes ? bytes : 3);
		end += bytes ? bytes : 3;
		text += bytes ? bytes : 1;
	}
	struct json_object *object = json_object_new_string(valid);

	free(valid);
	return object;
}

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add_ex(object, key, value, JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

void json_print(FILE *out, struct json_object *value)
{
	fputs(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	fputc('\n', out);
}
