/* SPDX-License-Identifier: MIT */
/* make_profile SCENE FILE: writes a profile with known content. Without arguments: lists the
 * scenes. */
#include "tests/programs/profile_scenes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_scenes(void)
{
	for (size_t i = 0; i < scene_count; i++)
		printf("%-10s %s\n", scenes[i].name, scenes[i].story);
	return 0;
}

int main(int count, char **words)
{
	if (count == 1)
		return list_scenes();
	size_t size;
	unsigned char *bytes = count == 3 ? scene_make(words[1], &size) : NULL;

	if (!bytes) {
		fprintf(stderr,
			"usage: make_profile SCENE FILE; without arguments it lists the scenes\n");
		return 2;
	}
	FILE *file = fopen(words[2], "wbe");
	bool is_written = file && fwrite(bytes, size, 1, file) == 1;

	if (!file || fclose(file) || !is_written) {
		fprintf(stderr, "make_profile: cannot write %s: %s\n", words[2], strerror(errno));
		return 1;
	}
	free(bytes);
	return 0;
}
