/* SPDX-License-Identifier: MIT */
#include "analyze/export/unique_names.h"

#include "analyze/base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct unique_names {
	char **rows;
	size_t count, capacity;
};

struct unique_names *unique_names_create(void)
{
	return memory_allocate(1, sizeof(struct unique_names));
}

void unique_names_destroy(struct unique_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->rows[i]);
	free(names->rows);
	free(names);
}

static bool is_taken(const struct unique_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->rows[i], name))
			return true;
	return false;
}

const char *unique_names_add(struct unique_names *names, const char *name)
{
	char *unique = memory_copy_text(name);

	for (size_t number = 2; is_taken(names, unique); number++) {
		free(unique);
		unique = memory_print("%sNo%zu", name, number);
	}
	names->rows = memory_grow(names->rows, names->count, &names->capacity, sizeof *names->rows);
	names->rows[names->count++] = unique;
	return unique;
}

size_t unique_names_count(const struct unique_names *names)
{
	return names->count;
}

const char *unique_names_at(const struct unique_names *names, size_t number)
{
	return names->rows[number];
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

const char *callgrind_names_add(struct unique_names *names, const char *name)
{
	char *letters = letters_of(name);
	const char *unique = unique_names_add(names, letters);

	free(letters);
	return unique;
}
