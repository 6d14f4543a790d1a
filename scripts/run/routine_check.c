/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "routine_check.h"

#include "common/message.h"
#include "common/nearest_names.h"
#include "program_check.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUTINES_MOST = 16, HOOKS_BYTES = 4096 };

/* A routine that the user named, and what the files say of it. */
struct routine {
	const char *name;
	bool is_imported, is_defined; /* by some object, as a dynamic symbol */
	bool is_own;                  /* a routine of the program's file, dynamic or not */
	uint64_t address;             /* of it there */
	struct nearest_names near;
};

static struct {
	struct routine routines[ROUTINES_MOST];
	unsigned count;
	bool has_hooks;       /* the program is compiled with -finstrument-functions */
	bool opens_libraries; /* by dlopen */
	bool starts_programs;
} asked;

/* These return twice, or look who called them. */
static bool is_refused(const char *name)
{
	static const char *const refused[] = {
		"setjmp",     "_setjmp",     "__sigsetjmp",   "vfork",  "getcontext",
		"setcontext", "swapcontext", "makecontext",   "dlopen", "dlmopen",
		"dlsym",      "dlvsym",      "__tls_get_addr"};

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (!strcmp(name, refused[i]))
			return true;
	return !strncmp(name, "_Unwind_", 8) || !strncmp(name, "__cxa_", 6);
}

/* ---- symbols of a file */

static void look_at_routine(struct routine *routine, const char *name, const GElf_Sym *symbol,
			    bool is_dynamic, bool is_program)
{
	bool is_here = symbol->st_shndx != SHN_UNDEF;

	if (strcmp(routine->name, name) != 0) {
		if (is_program)
			nearest_offer(&routine->near, name);
		return;
	}
	routine->is_imported |= is_dynamic && !is_here;
	routine->is_defined |= is_dynamic && is_here && !is_program;
	if (is_program && is_here) {
		routine->is_own = true;
		routine->address = symbol->st_value;
	}
}

static bool is_start(const char *name)
{
	return !strncmp(name, "exec", 4) || !strncmp(name, "posix_spawn", 11) ||
	       !strcmp(name, "system") || !strcmp(name, "popen");
}

static void look_at_symbol(const char *name, const GElf_Sym *symbol, bool is_dynamic,
			   bool is_program)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	bool is_missing = symbol->st_shndx == SHN_UNDEF;

	if (!*name || (type != STT_FUNC && type != STT_GNU_IFUNC && !is_missing))
		return;
	asked.has_hooks |= is_program && is_missing && !strcmp(name, "__cyg_profile_func_enter");
	asked.starts_programs |= is_dynamic && is_missing && is_start(name);
	asked.opens_libraries |= is_dynamic && is_missing && !strcmp(name, "dlopen");
	for (unsigned i = 0; i < asked.count; i++)
		look_at_routine(&asked.routines[i], name, symbol, is_dynamic, is_program);
}

static void look_at_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, bool is_program)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name)
			look_at_symbol(name, &symbol, header->sh_type == SHT_DYNSYM, is_program);
	}
}

static void look_at_file(const char *path, bool is_program)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ_MMAP, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_DYNSYM || (is_program && header.sh_type == SHT_SYMTAB)))
			look_at_table(elf, section, &header, is_program);
	elf_end(elf);
	if (file >= 0)
		close(file);
}

/* ---- the libraries that it needs, as its loader finds them */

static _Noreturn void become_list(const char *path, int output)
{
	setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
	unsetenv("LD_PRELOAD");
	dup2(output, STDOUT_FILENO);
	execl(path, path, NULL);
	_exit(127);
}

/* "\tlibm.so.6 => /lib/libm.so.6 (0x...)", or "\t/lib/ld.so (0x...)". */
static void look_at_line(char *line)
{
	char *path = strstr(line, " => "), *end = strrchr(line, '(');

	path = path ? path + 4 : line + strspn(line, "\t ");
	if (*path != '/' || !end || end <= path)
		return;
	end[-1] = '\0';
	look_at_file(path, false);
}

static void look_at_libraries(const char *program)
{
	int ends[2];
	char *line = NULL;
	size_t room = 0;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	pid_t child = fork();
	if (!child)
		become_list(program, ends[1]);
	close(ends[1]);
	FILE *list = fdopen(ends[0], "r");
	while (child > 0 && list && getline(&line, &room, list) > 0)
		look_at_line(line);
	free(line);
	if (list)
		fclose(list);
	if (child > 0)
		waitpid(child, NULL, 0);
}

/* ---- judgement */

static bool is_hooked(const struct routine *routine)
{
	return asked.has_hooks && routine->is_own;
}

static void judge(const struct program *program, const struct routine *routine)
{
	char near[3 * NEAREST_NAME_SIZE + 16];

	if (is_refused(routine->name))
		message_fail(
			STATUS_USAGE,
			"--section-routine %s: it returns twice or looks at its caller, and cannot "
			"be a section",
			routine->name);
	if (is_hooked(routine) || (routine->is_imported && routine->is_defined))
		return;
	if (routine->is_own)
		message_fail(STATUS_USAGE,
			     "--section-routine %s: %s calls it within itself, which is not seen: "
			     "compile it with -finstrument-functions, or call ptrace_begin in it",
			     routine->name, program->name);
	if (routine->is_defined && !asked.opens_libraries)
		message_fail(
			STATUS_USAGE,
			"--section-routine %s: a library of %s has it, and nothing that is loaded "
			"calls it",
			routine->name, program->name);
	/* it may be of a library that comes later; of a script, of what that starts */
	if (asked.opens_libraries || strcmp(program->file, program->path) != 0)
		return;
	if (nearest_text(&routine->near, near, sizeof near))
		message_fail(STATUS_USAGE,
			     "--section-routine %s: %s calls no such routine: did you mean %s?",
			     routine->name, program->name, near);
	if (!asked.starts_programs)
		message_fail(
			STATUS_USAGE,
			"--section-routine %s: %s calls no such routine (nm -D shows those that it "
			"does)",
			routine->name, program->name);
}

static void take_names(char *names)
{
	char *rest = NULL;

	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (asked.count == ROUTINES_MOST)
			message_fail(STATUS_USAGE, "--section-routine: at most %d routines",
				     ROUTINES_MOST);
		struct routine *routine = &asked.routines[asked.count++];

		routine->name = name;
		nearest_begin(&routine->near, name);
	}
	if (!asked.count)
		message_fail(STATUS_USAGE, "--section-routine: no name is given");
}

/* Addresses are of that file: programs that it starts may be others. */
static void set_hooks(const struct program *program)
{
	char hooks[HOOKS_BYTES];
	struct stat status = {0};

	stat(program->file, &status);
	size_t prefix = (size_t)snprintf(hooks, sizeof hooks, "%llx:%llx",
					 (unsigned long long)status.st_dev,
					 (unsigned long long)status.st_ino);
	size_t length = prefix;

	for (unsigned i = 0; i < asked.count && length < sizeof hooks; i++)
		if (is_hooked(&asked.routines[i]))
			length += (size_t)snprintf(hooks + length, sizeof hooks - length,
						   ",%s@%llx", asked.routines[i].name,
						   (unsigned long long)asked.routines[i].address);
	if (length > prefix)
		setenv("PTRACE_SECTION_HOOKS", hooks, 1);
	else
		unsetenv("PTRACE_SECTION_HOOKS");
}

void routine_check(const struct program *program, const char *names)
{
	char *copy = strdup(names);

	if (!copy)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	elf_version(EV_CURRENT);
	take_names(copy);
	look_at_file(program->file, true);
	look_at_libraries(program->file);
	for (unsigned i = 0; i < asked.count; i++)
		judge(program, &asked.routines[i]);
	setenv("PTRACE_SECTION_ROUTINE", names, 1);
	set_hooks(program);
	free(copy);
}
