/* SPDX-License-Identifier: MIT */
#include "asked_events.h"

#include "text_trim.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	char *at;
	int braces; /* pairs so far */
	bool is_in; /* between two of them */
	char *error;
	size_t size;
};

static bool read_period(char *name, struct event_item *item, struct reader *reader)
{
	char *at = strchr(name, '@'), *end;

	if (!at)
		return true;
	*at++ = '\0';
	errno = 0;
	unsigned long long period = strtoull(at, &end, 10);
	if (!isdigit((unsigned char)*at) || *end || errno || period == 0 || period > INT64_MAX) {
		snprintf(reader->error, reader->size,
			 "'%s@%s': the period must be a whole number from 1, as in %s@100000", name,
			 at, *name ? name : "NAME");
		return false;
	}
	if (reader->is_in) {
		snprintf(
			reader->error, reader->size,
			"'%s@%s' is sampled, and so a group of its own: write it outside of the braces",
			name, at);
		return false;
	}
	item->period = period;
	return true;
}

static bool add(struct event_list *list, char *name, struct reader *reader)
{
	struct event_item item = {.name = name, .braces = reader->is_in ? reader->braces : 0};

	if (!read_period(name, &item, reader))
		return false;
	if (!*name) {
		snprintf(reader->error, reader->size, "a name is missing in the list of events");
		return false;
	}
	for (const char *c = name; *c; c++)
		if (iscntrl((unsigned char)*c) || strchr(";|", *c)) {
			snprintf(
				reader->error, reader->size,
				"a name of the list of events contains ';', '|' or a control character");
			return false;
		}
	if (list->count == EVENT_LIST_MAX) {
		snprintf(reader->error, reader->size, "more than %d names in the list of events",
			 EVENT_LIST_MAX);
		return false;
	}
	list->items[list->count++] = item;
	return true;
}

/* '{' before a name. */
static bool open_braces(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
	if (*reader->at != '{')
		return true;
	if (reader->is_in) {
		snprintf(reader->error, reader->size, "braces within braces in the list of events");
		return false;
	}
	reader->at++;
	reader->braces++;
	reader->is_in = true;
	return true;
}

/* '}' behind a name; then a comma or the end must follow. */
static bool close_braces(struct reader *reader)
{
	if (!reader->is_in) {
		snprintf(reader->error, reader->size, "a '}' without a '{' in the list of events");
		return false;
	}
	reader->is_in = false;
	while (isspace((unsigned char)*reader->at))
		reader->at++;
	if (*reader->at && *reader->at != ',') {
		snprintf(reader->error, reader->size,
			 "a comma is missing after a '}' before '%.20s'", reader->at);
		return false;
	}
	return true;
}

bool event_list_parse(const char *text, struct event_list *list, char *error, size_t size)
{
	struct reader reader = {.at = list->text, .error = error, .size = size};
	char last;

	list->count = 0;
	if (snprintf(list->text, sizeof list->text, "%s", text) >= (int)sizeof list->text) {
		snprintf(error, size, "the list of events is longer than %d characters",
			 EVENT_LIST_TEXT_MAX - 1);
		return false;
	}
	do {
		if (!open_braces(&reader))
			return false;
		size_t length = strcspn(reader.at, ",{}");
		char *name = reader.at;

		last = name[length];
		if (last == '{') {
			snprintf(error, size,
				 "a comma is missing before a '{' in the list of events");
			return false;
		}
		reader.at = name + length + (last != '\0');
		if (!add(list, text_trim(name, length), &reader))
			return false;
		if (last == '}') {
			if (!close_braces(&reader))
				return false;
			last = *reader.at;
			reader.at += last != '\0';
		}
	} while (last);
	if (reader.is_in)
		snprintf(error, size, "a '{' of the list of events is not closed: add a '}'");
	return !reader.is_in;
}
