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
 *   FIELD(key, value, places)      a figure: in JSON, CSV and SQLite, and in the places given
 *   SHOWN(name, value, places)     only in the text, which has another form of a figure
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
 * in the order of the numbers. The values and places stand first: times are nanoseconds, shares
 * percent. */
#include "analyze/report/row_fields.h"

#define SECONDS(ns)           ((struct value){.kind = VALUE_SECONDS, .whole = (ns)})
#define SECONDS_OF(ns)        ((struct value){.kind = VALUE_REAL_SECONDS, .real = (ns)})
#define COUNT(number)         ((struct value){.kind = VALUE_COUNT, .whole = (number)})
#define SIZE(bytes)           ((struct value){.kind = VALUE_SIZE, .whole = (bytes)})
#define NUMBER(number)        ((struct value){.kind = VALUE_NUMBER, .real = (number)})
#define PERCENT(percent)      ((struct value){.kind = VALUE_PERCENT, .real = (percent)})
#define FLAG(is)              ((struct value){.kind = VALUE_FLAG, .whole = (is)})
#define WORD(lasting)         ((struct value){.kind = VALUE_WORD, .word = (lasting)})
#define OWN_TEXT(made)        ((struct value){.kind = VALUE_TEXT, .text = (made)})
#define JSON(made)            ((struct value){.kind = VALUE_JSON, .json = (made)})
#define NONE                  ((struct value){.kind = VALUE_NONE})
#define UNKNOWN               ((struct value){.kind = VALUE_UNKNOWN})
#define RANK(rank)            ((rank) == UINT64_MAX ? NONE : COUNT(rank))
#define GRADE_WORD(of)        WORD(report_grade_text(of))
#define GRADED(grade, figure) value_graded(grade, figure)

/* A list of rows, which have fields themselves; `list` has rows and a count. */
#define LIST(fields, list)                                                                         \
	JSON(rows_json(report, &fields, (list).rows, (list).count, sizeof *(list).rows))

#define TEXT(number, head, side, ...)                                                              \
	.text = {.at = number, .title = head, .align = TEXT_##side, __VA_ARGS__}
#define HTML(number, head, kind, ...)                                                              \
	.html = {.at = number, .field = {.title = head, .format = HTML_##kind, __VA_ARGS__}}
/* With another title in a report by process. */
#define HTML_BY(number, head, of_processes, kind)                                                  \
	.html = {.at = number,                                                                     \
		 .field = {.title = head, .format = HTML_##kind},                                  \
		 .by_process = of_processes}

/* With the words of sense and role: LESS, CAUSE. */
#define DIFF(name, better, meaning, ...)                                                           \
	.diff = {.metric = name, .sense = SENSE_##better, .role = ROLE_##meaning, __VA_ARGS__}

/* ---- what is made of a list */

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
