/* SPDX-License-Identifier: MIT */
#include "proc_text.h"

#include "common/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long proc_text_read(pid_t process, const char *name, char *text, size_t size)
{
	char path[80];
	size_t end = 0;
	ssize_t length;

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)process, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	text[0] = '\0';
	if (file < 0)
		return -errno;
	while (end < size - 1 && (length = read(file, text + end, size - 1 - end)) > 0)
		end += (size_t)length;
	close(file);
	text[end] = '\0';
	return (long)end;
}

void proc_text_field(pid_t process, pid_t thread, const char *field, char *value, size_t size)
{
	if (thread)
		proc_file_value(value, size, field, "/proc/%ld/task/%ld/status", (long)process,
				(long)thread);
	else
		proc_file_value(value, size, field, "/proc/%ld/status", (long)process);
}

long proc_text_number(pid_t process, pid_t thread, const char *field)
{
	char value[40];

	proc_text_field(process, thread, field, value, sizeof value);
	return strtol(value, NULL, 10);
}

uint64_t proc_text_set(pid_t process, pid_t thread, const char *field)
{
	char value[40];

	proc_text_field(process, thread, field, value, sizeof value);
	return strtoull(value, NULL, 16);
}

bool proc_text_has_memory(pid_t process)
{
	char size[40];

	proc_text_field(process, 0, "VmSize", size, sizeof size);
	return size[0] != '\0';
}

bool proc_text_call(pid_t process, pid_t thread, long *number, uint64_t arguments[6])
{
	char name[40], text[256];

	snprintf(name, sizeof name, "task/%ld/syscall", (long)thread);
	proc_text_read(process, name, text, sizeof text);
	char *next = text;
	*number = strtol(text, &next, 10);
	bool is_known = next != text && *number >= 0;
	for (int i = 0; i < 6; i++)
		arguments[i] = strtoull(next, &next, 16);
	return is_known;
}
