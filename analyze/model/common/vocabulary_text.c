/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/vocabulary_text.h"

#define WORD(name, text) text,

#define CAUSE_WORD(name, class, text) text,
static const char *const causes[] = {CAUSE_LIST(CAUSE_WORD)};
#undef CAUSE_WORD
static const char *const kinds[] = {OBJECT_KIND_LIST(WORD)};
static const char *const marks[] = {CALLPATH_MARK_LIST(WORD)};
static const char *const notes[] = {NOTE_LIST(WORD)};

#undef WORD

static const struct {
	const char *call, *text;
	enum object_kind kind;
} operations[] = {
#define OPERATION_TEXT(name, call, kind, text) {call, text, OBJECT_##kind},
	OPERATION_LIST(OPERATION_TEXT)
#undef OPERATION_TEXT
};

static const struct {
	const char *text;
	enum omp_construct_time time;
} constructs[] = {
#define CONSTRUCT_TEXT(name, text, time) {text, OMP_TIME_##time},
	OMP_CONSTRUCT_LIST(CONSTRUCT_TEXT)
#undef CONSTRUCT_TEXT
};

const char *vocabulary_cause(uint64_t cause)
{
	return cause < CAUSE_COUNT ? causes[cause] : "other";
}

const char *vocabulary_kind(uint64_t kind)
{
	return kind != OBJECT_NONE && kind < OBJECT_KIND_COUNT ? kinds[kind] : "call";
}

const char *vocabulary_mark(uint64_t mark)
{
	return mark < MARK_COUNT ? marks[mark] : "[mark]";
}

const char *vocabulary_note(uint64_t note)
{
	return note < NOTE_COUNT ? notes[note] : "";
}

const char *vocabulary_operation(uint64_t operation)
{
	return operation < OP_COUNT ? operations[operation].text : "other";
}

const char *vocabulary_call(uint64_t operation)
{
	return operation < OP_COUNT ? operations[operation].call : "";
}

enum object_kind vocabulary_operand(uint64_t operation)
{
	return operation < OP_COUNT ? operations[operation].kind : OBJECT_NONE;
}

const char *vocabulary_construct(uint64_t construct)
{
	return construct < OMP_CONSTRUCT_COUNT ? constructs[construct].text : "other";
}

enum omp_construct_time vocabulary_construct_time(uint64_t construct)
{
	return construct < OMP_CONSTRUCT_COUNT ? constructs[construct].time : OMP_TIME_COUNT;
}
