/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getline */
#include "common/proc_file.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

size_t proc_file_read(char *text, size_t size, const char *path, ...)
{
	va_list arguments;
	char name[128];

	va_start(arguments, path);
	vsnprintf(name, sizeof name, path, arguments);
	va_end(arguments);
	int file = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? 0 : read(file, text, size - 1);

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

const char *proc_file_field(const char *text, const char *field)
{
	size_t length = strlen(field);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, field, length) == 0 && line[length] == ':')
			return line + length + 1 + strspn(line + length + 1, " \t");
	}
	return NULL;
}

bool proc_file_value(char *value, size_t size, const char *field, const char *path, ...)
{
	const char *found = NULL;
	va_list arguments;
	char name[128], *line = NULL;
	size_t room = 0;

	va_start(arguments, path);
	vsnprintf(name, sizeof name, path, arguments);
	va_end(arguments);
	FILE *file = fopen(name, "re");
	while (file && !found && getline(&line, &room, file) > 0)
		found = proc_file_field(line, field);
	snprintf(value, size, "%.*s", found ? (int)strcspn(found, "\n") : 0, found ? found : "");
	if (file)
		fclose(file);
	free(line);
	return found;
}
