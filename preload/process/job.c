/* SPDX-License-Identifier: MIT */
#include "preload/process/job.h"

#include "common/fnv.h"
#include "common/stat_line.h"
#include "preload/base/environment.h"
#include "preload/base/small_file.h"
#include "preload/base/system.h"
#include "preload/base/text.h"

#include <stdlib.h>

enum {
	ANCESTORS_MOST = 16,
	FIRST_NUMBER = 100000, /* runs that are counted (PROGRAM.ptrace.N) have smaller ones */
	NUMBERS = 999999999 - FIRST_NUMBER,
};

static const struct launcher {
	const char *ranks[2], *needed[2];
	uint64_t special;
	const char *more[3]; /* NULL: none at this place */
	const char *arguments[2];
} launchers[] = {
#define LAUNCHER(name, turn, rank, ranks, needed, special, more, processes, arguments, ...)        \
	{ranks, needed, special, more, arguments},
#include "preload/process/launchers.def"
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* hash 0: this is the first text. As if a 0 byte followed, which separates the texts. */
static uint64_t add(uint64_t hash, const char *text, size_t length)
{
	return fnv_step(fnv_bytes(hash ? hash : FNV_START, text, length), 0);
}

static uint64_t number_of(const char *variable)
{
	const char *text = variable ? environment_value(variable) : NULL;

	return text ? text_read_number(&text) : 0;
}

static uint64_t ranks_of(const struct launcher *launcher)
{
	uint64_t ranks = number_of(launcher->ranks[0]);

	return ranks ? ranks : number_of(launcher->ranks[1]);
}

static bool is_special(const struct launcher *launcher)
{
	return launcher->special && number_of(launcher->needed[1]) >= launcher->special;
}

/* 0: it is no job of this launcher, or it has one rank and needs no number. */
static uint64_t by_variables(const struct launcher *launcher)
{
	const char *const *names = launcher->needed;
	uint64_t hash = 0;

	if (ranks_of(launcher) < 2 || !names[0] || !environment_value(names[0]) ||
	    (names[1] && !environment_value(names[1])))
		return 0;
	for (int i = 0; i < 2 && names[i]; i++)
		hash = add(hash, environment_value(names[i]), strlen(environment_value(names[i])));
	for (int i = 0; i < 3; i++) {
		const char *value = launcher->more[i] ? environment_value(launcher->more[i]) : NULL;

		if (launcher->more[i])
			hash = add(hash, value ? value : "-", value ? strlen(value) : 1);
	}
	return hash;
}

static uint64_t by_environment(void)
{
	uint64_t hash = 0;

	for (int i = 0; i < LAUNCHERS; i++)
		if (is_special(&launchers[i]))
			return 0;
	for (int i = 0; i < LAUNCHERS && !hash; i++)
		hash = by_variables(&launchers[i]);
	return hash;
}

/* /proc/PID/FILE; its length, 0 if it cannot be read. */
static size_t read_process(uint64_t pid, const char *file, char *buffer, size_t capacity)
{
	char name[64];
	struct text path = TEXT(name);

	text_add(&path, "/proc/");
	text_add_number(&path, pid);
	text_add(&path, file);
	long length = small_file_read(name, buffer, capacity);
	return length > 0 ? (size_t)length : 0;
}

/* What follows an option among arguments that each end with a 0 byte; NULL: the option is not
 * there. */
static const char *argument(const char *arguments, size_t length, const char *option)
{
	const char *end = arguments + length;

	for (const char *at = arguments; at < end; at += strlen(at) + 1)
		if (!strcmp(at, option) && at + strlen(at) + 1 < end)
			return at + strlen(at) + 1;
	return NULL;
}

static uint64_t parent_of(uint64_t pid)
{
	char stat[512];

	if (!read_process(pid, "/stat", stat, sizeof stat))
		return 0;
	const char *at = stat_line_field(stat, STAT_PARENT);

	return at ? text_read_number(&at) : 0;
}

/* hydra's jobs have no name, but the proxies of all hosts know where their mpiexec listens. */
static uint64_t by_proxy(const struct launcher *launcher)
{
	char arguments[1024]; /* those that are looked for come first */
	uint64_t pid = (uint64_t)system_parent_pid();

	if (!launcher->arguments[0] || ranks_of(launcher) < 2)
		return 0;
	for (int i = 0; i < ANCESTORS_MOST && pid > 1; i++, pid = parent_of(pid)) {
		size_t length = read_process(pid, "/cmdline", arguments, sizeof arguments);
		const char *port = argument(arguments, length, launcher->arguments[0]);
		const char *group = argument(arguments, length, launcher->arguments[1]);
		if (port)
			return add(add(0, port, strlen(port)), group ? group : "-",
				   group ? strlen(group) : 1);
	}
	return 0;
}

uint64_t job_number(void)
{
	uint64_t hash = by_environment();

	for (int i = 0; i < LAUNCHERS && !hash; i++)
		hash = by_proxy(&launchers[i]);
	return hash ? FIRST_NUMBER + hash % NUMBERS : 0;
}
