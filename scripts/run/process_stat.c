/* SPDX-License-Identifier: MIT */
#include "process_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

size_t process_text(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? 0 : read(file, text, size - 1);

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0 ? (size_t)length : 0;
}

bool process_stat_read(pid_t pid, struct process_stat *process)
{
	char path[40], text[1024];
	unsigned long long ticks = 0;
	int parent = 0;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	if (!process_text(path, text, sizeof text))
		return false;
	/* A name may contain blanks and parentheses: the last parenthesis ends it. */
	char *name = strchr(text, '('), *end = strrchr(text, ')');
	if (!name || !end || end < name)
		return false;
	*end = '\0';
	if (sscanf(end + 1,
		   " %*c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
		   &parent, &ticks) != 2)
		return false;
	*process = (struct process_stat){
		.pid = pid,
		.parent = parent,
		.start_ns = ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK))};
	snprintf(process->name, sizeof process->name, "%s", name + 1);
	return true;
}

void process_argument(pid_t pid, const char *option, char *value, size_t size)
{
	char path[40], text[4096];

	*value = '\0';
	snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
	size_t length = process_text(path, text, sizeof text);
	for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
		const char *next = text + at + strlen(text + at) + 1;

		if (strcmp(text + at, option) != 0 || next >= text + length)
			continue;
		snprintf(value, size, "%s", next);
		return;
	}
}

void process_boot_id(char *text, size_t size)
{
	process_text("/proc/sys/kernel/random/boot_id", text, size);
	text[strcspn(text, "\n")] = '\0';
}
