/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "preset_find.h"

#include "own_process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".events"

/* Calls visit with each folder until it returns true. */
static bool each_folder(bool (*visit)(const char *folder, void *context), void *context)
{
	const char *list = getenv("PTRACE_EVENT_PATH"), *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	char folder[PATH_MAX];

	while (list && *list) {
		size_t length = strcspn(list, ":");

		snprintf(folder, sizeof folder, "%.*s", (int)length, list);
		if (*folder && visit(folder, context))
			return true;
		list += length + (list[length] == ':');
	}
	*folder = '\0';
	if (config && *config)
		snprintf(folder, sizeof folder, "%s/libptrace/events", config);
	else if (home && *home)
		snprintf(folder, sizeof folder, "%s/.config/libptrace/events", home);
	if (*folder && visit(folder, context))
		return true;
	own_process_beside(folder, sizeof folder, "../share/libptrace/events");
	return *folder && visit(folder, context);
}

struct search {
	const char *name;
	char *path;
};

static bool is_in(const char *folder, void *context)
{
	struct search *search = context;
	int length = snprintf(search->path, PATH_MAX, "%s/%s" ENDING, folder, search->name);

	return length < PATH_MAX && access(search->path, F_OK) == 0;
}

bool preset_find(const char *name, char path[PATH_MAX])
{
	struct search search = {name, path};

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	return each_folder(is_in, &search);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has(const struct preset_names *presets, const char *name)
{
	for (int i = 0; i < presets->count; i++)
		if (strcmp(presets->names[i], name) == 0)
			return true;
	return false;
}

static bool add_folder(const char *folder, void *context)
{
	struct preset_names *presets = context;
	DIR *directory = opendir(folder);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name), ending = strlen(ENDING);

		if (length <= ending || strcmp(entry->d_name + length - ending, ENDING) != 0)
			continue;
		char *name = strndup(entry->d_name, length - ending);
		if (name && presets->count < PRESETS_MAX && !has(presets, name))
			presets->names[presets->count++] = name;
		else
			free(name);
	}
	if (directory)
		closedir(directory);
	return false;
}

void preset_names_find(struct preset_names *presets)
{
	memset(presets, 0, sizeof *presets);
	each_folder(add_folder, presets);
	qsort(presets->names, (size_t)presets->count, sizeof presets->names[0], compare);
}

void preset_names_free(struct preset_names *presets)
{
	while (presets->count > 0)
		free(presets->names[--presets->count]);
}
