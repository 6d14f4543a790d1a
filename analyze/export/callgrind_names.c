/* SPDX-License-Identifier: MIT */
#include "analyze/export/callgrind_names.h"

#include "analyze/base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
