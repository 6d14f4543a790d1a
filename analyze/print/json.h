/* SPDX-License-Identifier: MIT */
/* Values of the JSON report, on top of json-c (which escapes, nests and prints; here only the
 * format of numbers is decided). Unknown values are null: NAN, an infinity, a NULL text. Context:
 * pure. */
#pragma once

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

struct json_object *json_seconds(uint64_t ns); /* exact to the nanosecond */
struct json_object *json_number(double number);
struct json_object *json_seconds_of(double ns);
struct json_object *json_count(uint64_t count);
/* Bytes that are not UTF-8 become U+FFFD: the output is valid whatever a thread calls itself. */
struct json_object *json_text(const char *text);
/* The value and a line end. */
void json_print(FILE *out, struct json_object *value);
void json_add(struct json_object *object, const char *key, struct json_object *value);
