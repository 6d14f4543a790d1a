/* SPDX-License-Identifier: MIT */
/* Makes the struct row_fields NAME_fields of the list fields/NAME.def. Before it is included, a
 * file defines
 *
 *   ROW        the type of a row, to which the list refers as `row` (and to the report as `report`)
 *   ROW_NAME   the name
 *   ROW_LIST   the file of the list, if it has another name
 *   ROW_SCOPE  static, if nobody else knows the result
 *
 * and the functions that the list calls. All of these are undefined by it. A line of a list is
 *
 *   FIELD(key, value, places)      a figure: in JSON, CSV and SQLite, and in the places that are
 * given SHOWN(name, value, places)     only in the text, which has another form of a figure
 *   PAGE(key, value, places)       only on the page
 *   PAGED(path, places)            the same, of the JSON of another field
 *   PARTS(key, value, names)       an object, whose keys the function `names` tells
 *   CARRIED(list, row)             the columns that are carried to every output (carried.h)
 *
 * and its places are
 *
 *   TEXT(number, title, align, ...)    a column of the text (enum text_align, struct row_field)
 *   HTML(number, title, format, ...)   a column of the page (struct html_field)
 *   DIFF(metric, sense, role, ...)     a figure of ptrace-diff (struct field_diff), in the lists
 *                                      that an extractor reads (diff/extract.h)
 *
 * in the order of the numbers. row_values.h has the values. */
#include "analyze/report/row_values.h"

#ifndef ROW_SCOPE
#define ROW_SCOPE
#endif
#define ROW_TEXT(path) #path
#define ROW_PATH(path) ROW_TEXT(path)
#ifndef ROW_LIST
/* clang-format off */
#define ROW_LIST ROW_PATH(analyze/report/fields/ROW_NAME.def)
/* clang-format on */
#endif
#define ROW_JOIN(name, part, key) name##_##part##key
#define ROW_WORD(name, part, key) ROW_JOIN(name, part, key)
#define ROW_GETTER(name, key)     ROW_WORD(name, get_, key)
#define ROW_LINES                 ROW_WORD(ROW_NAME, field_, lines)

#define FIELD(key, value_, ...)                                                                    \
	static struct value ROW_GETTER(ROW_NAME, key)(const struct report *report, const void *of) \
	{                                                                                          \
		ROW *row = of;                                                                     \
                                                                                                   \
		(void)report;                                                                      \
		(void)row;                                                                         \
		return value_;                                                                     \
	}
#define SHOWN                   FIELD
#define PAGE                    FIELD
#define PARTS(key, value, name) FIELD(key, value)
#define CARRIED(list, row_)     FIELD(list, ((struct value){.kind = VALUE_ROW, .row = (row_)}))
#define PAGED(path, ...)
#include ROW_LIST
#undef FIELD
#undef SHOWN
#undef PAGE
#undef PARTS
#undef CARRIED
#undef PAGED

#define FIELD(key_, value, ...) {.key = #key_, .get = ROW_GETTER(ROW_NAME, key_), __VA_ARGS__},
#define SHOWN(name, value, ...) {.get = ROW_GETTER(ROW_NAME, name), __VA_ARGS__},
#define PAGE(key_, value, ...)                                                                     \
	{.key = #key_, .get = ROW_GETTER(ROW_NAME, key_), .is_of_page = true, __VA_ARGS__},
#define PARTS(key_, value, name) {.key = #key_, .get = ROW_GETTER(ROW_NAME, key_), .parts = name},
#define CARRIED(list, row)       {.get = ROW_GETTER(ROW_NAME, list), .carried = &list},
#define PAGED(path_, ...)        {.path = path_, __VA_ARGS__},
static const struct row_field ROW_LINES[] = {
#include ROW_LIST
};
ROW_SCOPE const struct row_fields ROW_WORD(ROW_NAME, , fields) = {
	ROW_LINES,
	sizeof ROW_LINES / sizeof *ROW_LINES,
};
#undef FIELD
#undef SHOWN
#undef PAGE
#undef PARTS
#undef CARRIED
#undef PAGED
#undef ROW_TEXT
#undef ROW_PATH
#undef ROW_JOIN
#undef ROW_WORD
#undef ROW_GETTER
#undef ROW_LINES
#undef ROW
#undef ROW_LIST
#undef ROW_NAME
#undef ROW_SCOPE
