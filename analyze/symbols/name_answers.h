/* SPDX-License-Identifier: MIT */
/* Answers of the symbolizer by question, as they are kept from one report to the next.
 *
 * Context: the analyzer, one thread; pure. */
#pragma once

#include "analyze/symbols/symbol_place.h"

#include <stddef.h>
#include <stdint.h>

struct name_answers;

/* Numbers in the file. */
enum name_kind {
	NAME_CODE,  /* the routines at an address */
	NAME_ENTRY, /* the routine that begins there: one place */
	NAME_DATA,  /* the variable there, as the routine of one place; none: no symbol covers it */
	NAME_TAIL,  /* routines that left no frame between a return address and what runs there */
	NAME_OPEN   /* none: what is called before that return address is not known anywhere */
};

struct name_question {     /* no padding: these bytes are compared */
	const char *scope; /* what else the answer depends on: name_answers_text; NULL: nothing */
	uint64_t address, other;
	uint32_t kind, object; /* other and object: of NAME_TAIL, the code that runs */
};

struct kept_name {
	struct symbol_place place;
	const char *path; /* of the object; of NAME_TAIL only, else NULL */
};

struct name_answer {
	struct name_question question;
	struct kept_name *names;
	size_t count;
	bool is_used; /* asked for, or found, since name_answers_age */
};

struct name_answers *name_answers_create(void);
void name_answers_destroy(struct name_answers *answers); /* NULL: nothing */

/* The one copy of a text; NULL: NULL. */
const char *name_answers_text(struct name_answers *answers, const char *text);

/* NULL: not known. It lives as long as the answers, and is used now. */
const struct name_answer *name_answers_find(struct name_answers *answers,
					    const struct name_question *question);
/* Names are copied. What is known already stays. */
void name_answers_add(struct name_answers *answers, const struct name_question *question,
		      const struct kept_name *names, size_t count);

/* All answers so far are of earlier reports. */
void name_answers_age(struct name_answers *answers);

size_t name_answers_count(const struct name_answers *answers);
const struct name_answer *name_answers_at(const struct name_answers *answers, size_t number);
