/* SPDX-License-Identifier: MIT */
#include "analyze/export/callgrind_names.h"

#include "analyze/base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct callgrind_names {
	char **rows;
	size_t count, capacity;
};

struct callgrind_names *callgrind_names_create(void)
{
	return memory_allocate(1, sizeof(struct callgrind_names));
}

void callgrind_names_destroy(struct callgrind_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->rows[i]);
	free(names->rows);
	free(names);
}

/* A name begins with a letter: "Event" stands before a digit, and for nothing. */
static char *letters_of(const char *name)
{
	char *word = memory_allocate(strlen(name) + 1, 1), *end = word, *whole;
	bool is_next_capital = true;

	for (; *name; name++) {
		unsigned char letter = (unsigned char)*name;
		bool is_letter = letter < 128 && isalnum(letter);

		if (is_letter)
			*end++ = (char)(is_next_capital ? toupper(letter) : letter);
		is_next_capital = !is_letter;
	}
	whole = memory_print("%s%s", isalpha((unsigned char)*word) ? "" : "Event", word);
	free(word);
	return whole;
}

static bool is_taken(const struct callgrind_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->rows[i], name))
			return true;
	return false;
}

const char *callgrind_names_add(struct callgrind_names *names, const char *name)
{
	char *stem = letters_of(name), *unique = memory_copy_text(stem);

	for (size_t number = 2; is_taken(names, unique); number++) {
		free(unique);
		unique = memory_print("%sNo%zu", stem, number);
	}
	free(stem);
	names->rows = memory_grow(names->rows, names->count, &names->capacity, sizeof *names->rows);
	names->rows[names->count++] = unique;
	return unique;
}

size_t callgrind_names_count(const struct callgrind_names *names)
{
	return names->count;
}

const char *callgrind_names_at(const struct callgrind_names *names, size_t number)
{
	return names->rows[number];
}
