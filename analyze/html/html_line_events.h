/* SPDX-License-Identifier: MIT */
/* The columns of a table of lines: those that every table has, and the events that were counted.
 *
 * Names of events come from files and may have any characters, those of paths included; so the
 * figures below "events" of each row are given keys of our own. Context: pure. */
#pragma once

#include "analyze/model/run/run.h"
#include "analyze/page/html_json.h"

/* A zeroed struct has none. */
struct html_fields {
	struct html_field *list;
	size_t count, capacity;
	char **texts; /* of the events, owned */
	size_t text_count, text_capacity;
};

/* The text is released with the fields. */
char *html_fields_keep(struct html_fields *fields, char *text);
void html_fields_add(struct html_fields *fields, const struct html_field *more, size_t count);
/* Of one run: each event and its share. Of several, whose figures are at "runs.1", ...: the event
 * in each of them, with bars of one scale; problems: why the source is not that of a run, NULL: it
 * is. */
void html_fields_add_events(struct html_fields *fields, struct json_object *rows,
			    const struct run *const *runs, size_t count,
			    struct json_object *problems);
void html_fields_clear(struct html_fields *fields);
