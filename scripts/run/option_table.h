/* SPDX-License-Identifier: MIT */
/* A program's options as a table, from which the text of --help, getopt's table and what shells
 * complete (scripts/completion) are made. */
#pragma once

#include <getopt.h>

struct option_row {
	const char *name;
	const char *argument; /* NULL: takes none; in brackets: need not be there */
	int key;              /* a letter, or above all of them */
	const char *help;
};

/* The rows of --help; their texts begin so many columns behind the margin. */
void option_table_print(const struct option_row *rows, int count, int column);

/* A row of words for shells, if that is what `argv` asks for (--print-options alone), and the end.
 * print_values prints the values that are known of the option `key`, each with a blank before it;
 * NULL: of none are any known. */
void option_table_print_rows(int argc, char **argv, const struct option_row *rows, int count,
			     void (*print_values)(int key));

/* table: has room for one more than there are rows. */
void option_table_make(const struct option_row *rows, int count, struct option *table);

/* The next option's key, or -1. letters: "+:" and getopt's; argv[0]: as the program is called. A
 * wrong option ends the program with a line and status 2. */
int option_table_next(int argc, char **argv, const char *letters, const struct option *table);
