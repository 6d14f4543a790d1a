/* SPDX-License-Identifier: MIT */
#include "option_error.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

void option_error_say(int argc, char **argv, const char *letters, const struct option *table)
{
	char **copies = calloc((size_t)argc + 1, sizeof *copies);
	int key = copies ? 0 : -1;

	for (int i = 0; copies && i < argc; i++) {
		size_t room = 4 * strlen(argv[i]) + 8, end = 0;

		copies[i] = calloc(room, 1);
		for (const char *at = argv[i]; copies[i] && *at; at++)
			end = message_append(copies[i], end, room, (unsigned char)*at);
		if (!copies[i])
			return; /* the usage is told all the same */
	}
	optind = 0;
	opterr = 1;
	while (key != -1 && key != '?')
		key = getopt_long(argc, copies, letters, table, NULL);
}
