/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_names.h"

#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/file/note.h"
#include "preload/file/rows.h"

#include <string.h>

struct name {
	char text[SECTION_NAME_BYTES];
	uint32_t parent;
	uint32_t next; /* fixed before the name is published */
	uint8_t kind;
};

static struct {
	struct row_array rows;
	uint32_t first; /* atomic: the latest; they are a list */
	uint32_t named; /* atomic: without [other] */
	struct name of[SECTION_LIMIT];
} names = {
	.rows = {.table = TABLE_sections,
		 .row_bytes = sizeof(struct row_sections),
		 .rows_per_block = SECTION_LIMIT,
		 .limit = SECTION_LIMIT,
		 .next = 1},
};

void section_names_reset(void)
{
	row_array_reset(&names.rows);
	names.first = names.named = 0;
}

/* Most names are short: no call of libc's, for which others may stand in. */
static bool is_text(const char *text, const char *name)
{
	unsigned i = 0;

	while (text[i] && text[i] == name[i])
		i++;
	return text[i] == name[i] || i == SECTION_NAME_BYTES - 1;
}

bool section_has_name(uint32_t section, const char *name)
{
	return is_text(names.of[section].text, name);
}

bool section_is_other(uint32_t section)
{
	return names.of[section].kind == SECTION_OTHER;
}

uint64_t section_name_sum(const char *name)
{
	uint64_t sum = 1;

	for (unsigned i = 0; i < SECTION_NAME_BYTES - 1 && name[i]; i++)
		sum = hash_product(sum ^ (uint8_t)name[i]) | 1;
	return sum;
}

static uint32_t search(uint32_t from, uint32_t until, enum section_kind kind, uint32_t parent,
		       const char *name)
{
	for (uint32_t at = from; at != until; at = names.of[at].next)
		if (names.of[at].kind == kind && names.of[at].parent == parent &&
		    section_has_name(at, name))
			return at;
	return 0;
}

static void copy(char text[SECTION_NAME_BYTES], const char *name)
{
	unsigned i = 0;

	for (; i < SECTION_NAME_BYTES - 1 && name[i]; i++)
		text[i] = name[i];
	text[i] = '\0';
}

/* The kind comes last: before that, and where the name is not kept, the row is not there. */
static void show(struct row_sections *row, const struct name *name)
{
	uint64_t words = name->kind | (uint64_t)name->parent << 32;

	row->name = store_string(name->text);
	__atomic_store_n((uint64_t *)row, words, __ATOMIC_RELEASE);
}

/* Another thread may add the same: one of both finds the other's. */
static uint32_t add(enum section_kind kind, uint32_t parent, const char *name)
{
	uint32_t first = __atomic_load_n(&names.first, __ATOMIC_ACQUIRE), number, found;
	struct row_sections *row = row_array_add(&names.rows, &number);
	struct name *made = row ? &names.of[number] : NULL;

	if (!made)
		return 0;
	copy(made->text, name);
	made->parent = parent;
	made->kind = (uint8_t)kind;
	for (;;) {
		uint32_t seen = made->next = first;
		if (__atomic_compare_exchange_n(&names.first, &first, number, false,
						__ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
			break;
		if ((found = search(first, seen, kind, parent, name)))
			return found;
	}
	show(row, made);
	return number;
}

static uint32_t find(enum section_kind kind, uint32_t parent, const char *name)
{
	return search(__atomic_load_n(&names.first, __ATOMIC_ACQUIRE), 0, kind, parent, name);
}

static uint32_t other(void)
{
	static const char text[] = "[other]";
	uint32_t number = find(SECTION_OTHER, 0, text);

	return likely(number) ? number : add(SECTION_OTHER, 0, text);
}

uint32_t section_number(enum section_kind kind, uint32_t parent, const char *name)
{
	uint32_t number = find(kind, parent, name);

	if (likely(number))
		return number;
	if (__atomic_fetch_add(&names.named, 1, __ATOMIC_RELAXED) >= SECTION_NAMES) {
		__atomic_store_n(&names.named, SECTION_NAMES, __ATOMIC_RELAXED);
		note_once(NOTE_SECTION_NAMES, SECTION_NAMES);
		return other();
	}
	number = add(kind, parent, name);
	return number ? number : other();
}
