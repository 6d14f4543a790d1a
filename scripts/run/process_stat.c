/* SPDX-License-Identifier: MIT */
#include "process_stat.h"

#include "common/proc_file.h"
#include "common/stat_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool process_stat_read(pid_t pid, struct process_stat *process)
{
	char text[1024];

	proc_file_read(text, sizeof text, "/proc/%ld/stat", (long)pid);
	const char *name = strchr(text, '('), *end = strrchr(text, ')');
	const char *parent = stat_line_field(text, STAT_PARENT);
	const char *born = stat_line_field(text, STAT_BORN);
	if (!name || !born || end < name)
		return false;
	*process =
		(struct process_stat){.pid = pid,
				      .parent = (pid_t)strtol(parent, NULL, 10),
				      .start_ns = strtoull(born, NULL, 10) *
						  (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK))};
	snprintf(process->name, sizeof process->name, "%.*s", (int)(end - name - 1), name + 1);
	return true;
}

void process_argument(pid_t pid, const char *option, char *value, size_t size)
{
	char text[4096];
	size_t length = proc_file_read(text, sizeof text, "/proc/%ld/cmdline", (long)pid);

	*value = '\0';
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
	proc_file_read(text, size, "/proc/sys/kernel/random/boot_id");
	text[strcspn(text, "\n")] = '\0';
}
