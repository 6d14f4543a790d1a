/* SPDX-License-Identifier: MIT */
/* The real symbolizer as a program: symbolize_places FILE [@|=|+]ADDRESS...
 *
 * For each address one line: routine, file name and line of all frames, the innermost first. With @
 * the address is where a function begins, and the line is that of the entry. With = it is one of
 * data, and the line has its name. With + only the innermost frame is shown, with the first and the
 * last line of its entry. */
#include "analyze/symbols/symbolize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const struct symbol_place *place)
{
	const char *slash = place->file ? strrchr(place->file, '/') : NULL;

	printf("%s %s %u\n", place->routine, slash ? slash + 1 : (place->file ? place->file : "?"),
	       place->line);
}

int main(int count, char **words)
{
	struct symbolizer *symbolizer = symbolizer_create(NULL);
	struct symbol_module *module =
		symbolizer_find_module(symbolizer, count > 1 ? words[1] : "", "");

	for (int i = 2; i < count; i++) {
		bool is_entry = words[i][0] == '@', is_data = words[i][0] == '=';
		bool is_span = words[i][0] == '+';
		uint64_t address = strtoull(words[i] + (is_entry || is_data || is_span), NULL, 16);
		const struct symbol_place *places;
		struct symbol_place entry;

		if (is_data) {
			const char *name = symbolize_data(module, address);

			printf("%s\n", name ? name : "?");
			continue;
		}
		if (is_entry) {
			symbolize_entry(module, address, &entry);
			tell(&entry);
			continue;
		}
		size_t frames = symbolize_code(module, address, &places);
		if (is_span && frames)
			printf("%u %u\n", places[0].first, places[0].last);
		for (size_t f = 0; f < frames && !is_span; f++)
			tell(&places[f]);
	}
	symbolizer_destroy(symbolizer);
	return 0;
}
