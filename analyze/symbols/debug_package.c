/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/debug_package.h"

#include "analyze/base/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".list"

/* ---- packages */

/* Directories of the system may be linked into /usr: a package lists what it was made with. */
static bool is_same_file(const char *line, const char *path)
{
	static const char usr[] = "/usr";
	bool has_usr = !strncmp(path, usr, sizeof usr - 1);

	return !strcmp(line, path) || (has_usr ? !strcmp(line, path + sizeof usr - 1)
					       : !strncmp(line, usr, sizeof usr - 1) &&
							 !strcmp(line + sizeof usr - 1, path));
}

static bool has_line(const char *list, const char *path)
{
	FILE *file = fopen(list, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool is_found = false;

	while (file && !is_found && (length = getline(&line, &size, file)) > 0) {
		line[length - (line[length - 1] == '\n')] = '\0';
		is_found = is_same_file(line, path);
	}
	free(line);
	if (file)
		fclose(file);
	return is_found;
}

static int is_list(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > sizeof SUFFIX &&
	       !strcmp(entry->d_name + length - (sizeof SUFFIX - 1), SUFFIX);
}

/* "libc6" of "libc6:amd64.list" */
static char *name_of(const char *list)
{
	size_t length = strlen(list) - (sizeof SUFFIX - 1);
	const char *colon = memchr(list, ':', length);

	return memory_print("%.*s", (int)(colon ? (size_t)(colon - list) : length), list);
}

static char *package_of(const char *path)
{
	const char *set = getenv("DPKG_ADMINDIR");
	char *directory = memory_print("%s/info", set && *set ? set : "/var/lib/dpkg");
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_list, alphasort);
	char *package = NULL;

	for (int i = 0; i < count; i++) {
		char *list = memory_print("%s/%s", directory, entries[i]->d_name);

		if (!package && has_line(list, path))
			package = name_of(entries[i]->d_name);
		free(list);
		free(entries[i]);
	}
	free(entries);
	free(directory);
	return package;
}

char *debug_package_of(const char *path)
{
	char *package = package_of(path);
	/* the only one that all debuggers need, and older than the rule */
	char *debug = !package ? NULL
			       : memory_print("%s%s", package,
					      strcmp(package, "libc6") ? "-dbgsym" : "-dbg");

	free(package);
	return debug;
}

/* ---- servers */

static const struct {
	const char *id, *server;
} servers[] = {
	{"debian", "https://debuginfod.debian.net"},
	{"ubuntu", "https://debuginfod.ubuntu.com"},
	{"fedora", "https://debuginfod.fedoraproject.org"},
	{"arch", "https://debuginfod.archlinux.org"},
	{"opensuse", "https://debuginfod.opensuse.org"},
	{"", "https://debuginfod.elfutils.org"},
};

/* The ID of os-release(5), with quotes or without; "" if it has none. */
static void read_id(char id[32])
{
	FILE *file = fopen("/etc/os-release", "re");
	char line[256];

	*id = '\0';
	while (file && !*id && fgets(line, sizeof line, file))
		if (sscanf(line, "ID=%*[\"']%31[a-z]", id) != 1)
			sscanf(line, "ID=%31[a-z]", id);
	if (file)
		fclose(file);
}

const char *debug_package_server(void)
{
	char id[32];
	size_t i = 0;

	read_id(id);
	while (*servers[i].id && strcmp(servers[i].id, id) != 0)
		i++;
	return servers[i].server;
}
