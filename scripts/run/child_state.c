/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "child_state.h"

#include "own_process.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { VARIABLE_COUNT = 16, NUMBER_SIZE = 24 };

static struct {
	char *numbers[VARIABLE_COUNT]; /* where the digits are, with room for others */
	int count;
	bool is_reaper;
} child_state;

/* Also in the vfork child: no snprintf. */
static void write_number(char *to, unsigned long number)
{
	char digits[NUMBER_SIZE];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count > 0)
		*to++ = digits[--count];
	*to = '\0';
}

/* Where the value begins, if the variable's name ends with PID and the value is that number. */
static char *find_number(char *variable, const char *number)
{
	char *value = strchr(variable, '=');

	if (!value || value - variable < 3 || strncmp(value - 3, "PID", 3) != 0)
		return NULL;
	return strcmp(value + 1, number) == 0 ? value + 1 : NULL;
}

/* The variable gets a place of its own, in which its value may become longer. */
static void keep_number(char **variable, char *value)
{
	size_t before = (size_t)(value - *variable);
	char *place = malloc(before + NUMBER_SIZE);

	if (!place || child_state.count == VARIABLE_COUNT)
		return;
	strcpy(place, *variable);
	*variable = place;
	child_state.numbers[child_state.count++] = place + before;
}

void child_state_prepare(void)
{
	int is_reaper = 0;
	char own[NUMBER_SIZE];

	write_number(own, (unsigned long)own_process_number());
	for (char **variable = environ; *variable; variable++) {
		char *value = find_number(*variable, own);
		if (value)
			keep_number(variable, value);
	}
	if (child_state.count > 0)
		unsetenv("LISTEN_PIDFDID"); /* systemd 257: says LISTEN_PID in another way */
	child_state.is_reaper =
		prctl(PR_GET_CHILD_SUBREAPER, &is_reaper, 0, 0, 0) == 0 && is_reaper;
}

void child_state_take(void)
{
	for (int i = 0; i < child_state.count; i++)
		write_number(child_state.numbers[i], (unsigned long)getpid());
	if (child_state.is_reaper)
		prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void child_state_leave(void)
{
	if (child_state.is_reaper)
		prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}
