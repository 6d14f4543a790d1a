/* SPDX-License-Identifier: MIT */
#include "analyze/read/run_program.h"

#include "analyze/base/memory.h"
#include "common/nearest_names.h"

#include <stdlib.h>
#include <string.h>

/* The part of `path` behind its last slash, up to `length`; released by the caller. */
static char *last_part(const char *path, size_t length)
{
	size_t begin = length;

	while (begin && path[begin - 1] != '/')
		begin--;
	return memory_print("%.*s", (int)(length - begin), path + begin);
}

char *run_program_name(const struct run_process *process)
{
	const char *command = process->process.command;

	return last_part(command, strcspn(command, " "));
}

static char *executable_name(const struct run_process *process)
{
	return last_part(process->process.executable, strlen(process->process.executable));
}

static bool is_of(const struct run_process *process, const char *program)
{
	char *name = run_program_name(process), *executable = executable_name(process);
	bool is = !strcmp(name, program) || !strcmp(executable, program);

	free(name);
	free(executable);
	return is;
}

/* "there is no process of gc1: did you mean cc1?" */
static char *lack_of(const struct run_files *files, const char *program)
{
	struct nearest_names names;
	char meant[NEAREST_MAX * NEAREST_NAME_SIZE];

	nearest_begin(&names, program);
	for (size_t i = 0; i < files->process_count; i++) {
		char *name = run_program_name(&files->processes[i]);

		nearest_offer(&names, name);
		free(name);
	}
	if (nearest_text(&names, meant, sizeof meant))
		return memory_print("no process of the run is of the program %s: did you mean %s?",
				    program, meant);
	return memory_print("no process of the run is of the program %s: ptrace-report programs "
			    "lists them",
			    program);
}

static void set_aside(struct run_files *files, const struct run_process *process)
{
	files->others = memory_grow(files->others, files->other_count, &files->other_capacity,
				    sizeof *files->others);
	files->others[files->other_count++] = *process;
}

static size_t count_of(const struct run_files *files, const char *program)
{
	size_t count = 0;

	for (size_t i = 0; i < files->process_count; i++)
		count += is_of(&files->processes[i], program);
	return count;
}

bool run_keep_program(struct run_files *files, const char *program, char **problem)
{
	size_t kept = 0;

	if (!*program) {
		*problem = memory_copy_text("--program: the program has no name");
		return false;
	}
	if (files->merged_count) {
		*problem = memory_copy_text("--program: a merged run has no process of its own: "
					    "give the runs that it was merged from");
		return false;
	}
	if (!count_of(files, program)) {
		*problem = lack_of(files, program);
		return false;
	}
	for (size_t i = 0; i < files->process_count; i++) {
		if (is_of(&files->processes[i], program))
			files->processes[kept++] = files->processes[i];
		else
			set_aside(files, &files->processes[i]);
	}
	files->process_count = kept;
	free(files->command);
	files->command = memory_copy_text(files->processes[0].process.command);
	return true;
}
