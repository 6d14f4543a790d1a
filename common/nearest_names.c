/* SPDX-License-Identifier: MIT */
#include "common/nearest_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int fold(char character)
{
	return character == '_' ? '-' : tolower((unsigned char)character);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Three rows of the table of distances between beginnings of a and b: an exchange of neighbours
 * looks two rows back. */
int nearest_distance(const char *a, const char *b)
{
	int rows[3][NEAREST_NAME_SIZE + 1], *before = rows[0], *last = rows[1], *now = rows[2];
	int length_a = (int)strlen(a), length_b = (int)strlen(b);

	if (length_a > NEAREST_NAME_SIZE || length_b > NEAREST_NAME_SIZE)
		return length_a + length_b;
	for (int j = 0; j <= length_b; j++)
		last[j] = j;
	for (int i = 1; i <= length_a; i++) {
		now[0] = i;
		for (int j = 1; j <= length_b; j++) {
			bool is_same = fold(a[i - 1]) == fold(b[j - 1]);

			now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !is_same);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
			    fold(a[i - 2]) == fold(b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1);
		}
		int *free_row = before;
		before = last;
		last = now;
		now = free_row;
	}
	return last[length_b];
}

void nearest_begin(struct nearest_names *names, const char *wanted)
{
	*names = (struct nearest_names){.wanted = wanted};
}

static bool is_known(const struct nearest_names *names, const char *name)
{
	for (int i = 0; i < names->count; i++)
		if (strcasecmp(names->best[i].name, name) == 0)
			return true;
	return false;
}

void nearest_offer(struct nearest_names *names, const char *name)
{
	size_t length = strlen(names->wanted);
	int most = length < 5 ? 2 : (int)(length * 2 / 5);

	if (strlen(name) >= NEAREST_NAME_SIZE || is_known(names, name))
		return;
	int distance = nearest_distance(names->wanted, name), at = names->count;
	if (distance > most)
		return;
	while (at > 0 && names->best[at - 1].distance > distance)
		at--;
	if (at == NEAREST_MAX)
		return;
	if (names->count < NEAREST_MAX)
		names->count++;
	memmove(&names->best[at + 1], &names->best[at],
		(size_t)(names->count - 1 - at) * sizeof names->best[0]);
	names->best[at].distance = distance;
	strcpy(names->best[at].name, name);
}

bool nearest_text(const struct nearest_names *names, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < names->count && length < size; i++) {
		const char *comma = i == 0 ? "" : i == names->count - 1 ? " or " : ", ";

		length += (size_t)snprintf(text + length, size - length, "%s%s", comma,
					   names->best[i].name);
	}
	return names->count > 0;
}
