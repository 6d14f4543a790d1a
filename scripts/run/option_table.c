/* SPDX-License-Identifier: MIT */
#include "option_table.h"

#include "common/option_problem.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void option_table_print(const struct option_row *rows, int count, int column)
{
	for (int i = 0; i < count; i++) {
		char left[48], letter[8] = "    ";

		if (rows[i].key < 256)
			snprintf(letter, sizeof letter, "-%c, ", rows[i].key);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		printf("  %-*s %s\n", column, left, rows[i].help);
	}
}

/* Fields have a tab between them; "-" is an empty one, "" none: shells take two tabs for one. */
static void print_row(const struct option_row *row, void (*print_values)(int key))
{
	char letter[] = "-x";

	letter[1] = row->key < 256 ? (char)row->key : '\0';
	printf("--%s\t%s\t%s\t-", row->name, letter, row->argument ? row->argument : "-");
	if (print_values)
		print_values(row->key);
	printf("\t%s\n", row->help);
}

void option_table_print_rows(int argc, char **argv, const struct option_row *rows, int count,
			     void (*print_values)(int key))
{
	if (argc != 2 || strcmp(argv[1], "--print-options") != 0)
		return;
	for (int i = 0; i < count; i++)
		print_row(&rows[i], print_values);
	exit(0);
}

static int argument_kind(const char *argument)
{
	return !argument ? no_argument : *argument == '[' ? optional_argument : required_argument;
}

void option_table_make(const struct option_row *rows, int count, struct option *table)
{
	for (int i = 0; i < count; i++)
		table[i] = (struct option){rows[i].name, argument_kind(rows[i].argument), NULL,
					   rows[i].key};
	table[count] = (struct option){0};
}

int option_table_next(int argc, char **argv, const char *letters, const struct option *table)
{
	char problem[1024];

	opterr = 0;
	int key = getopt_long(argc, argv, letters, table, NULL);

	if (key == '?' || key == ':') {
		option_problem_text(argv, key, table, argv[0], problem, sizeof problem);
		message_fail(STATUS_USAGE, "%s", problem);
	}
	return key;
}
