/* SPDX-License-Identifier: MIT */
/* Where a page shows the source of a place, so that findings and tables lead there.
 *
 * A place is a routine, its file and a line, as the JSON has them. If two loaded objects have a
 * routine of that name out of that file, places lead to the one with more time: the source is the
 * same. Context: pure. */
#pragma once

#include <json-c/json.h>

struct html_places;

/* Names the blocks of a source section, and their rows: adds the keys `anchor` and `id` to them
 * (page/html_json.h). The places live no longer than the JSON. */
struct html_places *html_places_create(struct json_object *source);
void html_places_destroy(struct html_places *places); /* NULL: nothing */

/* Adds the key `anchor` to each object in a JSON that has a place which the page shows: that of the
 * line or, if the line is not shown, of the routine. */
void html_places_mark(const struct html_places *places, struct json_object *json);
