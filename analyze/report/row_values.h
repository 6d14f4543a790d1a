/* SPDX-License-Identifier: MIT */
/* The values of a list of fields (define_fields.h), and the places where they are shown. Times are
 * nanoseconds, shares percent. */
#pragma once

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
