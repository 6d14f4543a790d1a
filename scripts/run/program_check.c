/* SPDX-License-Identifier: MIT */
#include "program_check.h"

#include "program_elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- which file */

/* 0, or the errno that execve would return before it reads the file. */
static int judge_file(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? errno : 0;
}

static int take_path(struct program *program, const char *directory, size_t length,
		     const char *name)
{
	const char *slash = length ? "/" : ""; /* an empty element is the working directory */
	int size = snprintf(program->path, sizeof program->path, "%.*s%s%s", (int)length, directory,
			    slash, name);

	return size < (int)sizeof program->path ? judge_file(program->path) : ENAMETOOLONG;
}

int program_find(struct program *program, const char *name)
{
	const char *element = getenv("PATH");
	int worst = ENOENT;

	*program = (struct program){.name = name};
	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return take_path(program, "", 0, name);
	if (!element)
		element = "/bin:/usr/bin"; /* confstr(_CS_PATH), as execvp does */
	for (;; element++) {
		size_t length = strcspn(element, ":");
		int error = take_path(program, element, length, name);

		if (!error)
			return 0;
		if (error == EACCES)
			worst = EACCES; /* found but not executable: returned only if nothing better
					   is found */
		element += length;
		if (!*element)
			return worst;
	}
}

/* ---- can anything be preloaded into it */

enum { SCRIPT_DEPTH = 5 }; /* the kernel follows no longer chain of interpreters */

/* Cuts the file's first bytes, ended by a zero, to the first line behind `#!`; false: no script. */
static bool find_script_line(char *line)
{
	if (line[0] != '#' || line[1] != '!')
		return false;
	line[strcspn(line, "\n")] = '\0';
	memmove(line, line + 2, strlen(line + 2) + 1);
	return true;
}

static bool is_option_or_assignment(const char *word)
{
	return word[0] == '-' || strchr(word, '=');
}

/* The interpreter of a `#!` line: its first word, or what /usr/bin/env will start. */
static int find_interpreter(char *line, char *path)
{
	char *rest = NULL;
	char *word = strtok_r(line, " \t", &rest);

	if (!word)
		return ENOENT;
	const char *slash = strrchr(word, '/');
	if (slash && strcmp(slash, "/env") == 0)
		while ((word = strtok_r(NULL, " \t", &rest)) && is_option_or_assignment(word))
			continue;
	if (!word)
		return ENOENT;

	struct program interpreter;
	int error = program_find(&interpreter, word);
	if (!error)
		strcpy(path, interpreter.path);
	return error;
}

/* The interpreter that the kernel looks for, and not one that env(1) would start. */
static int find_exec_error(const char *line)
{
	char word[256];

	if (sscanf(line, "%255s", word) != 1)
		return 0;
	return access(word, X_OK) == 0 ? 0 : errno;
}

/* What the file's bits and attributes give to who executes it. */
static const char *given_privilege(int file)
{
	struct stat status;

	if (fstat(file, &status) < 0)
		return NULL;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return "set-user-id";
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid())
		return "set-group-id";
	if (getauxval(AT_UID) != 0 && fgetxattr(file, "security.capability", NULL, 0) > 0)
		return "given file capabilities";
	return NULL;
}

/* It matters only if it changes who we are, and only where it is honoured. */
static const char *find_privilege(int file)
{
	const char *privilege = given_privilege(file);
	struct statvfs mount;

	if (!privilege || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return NULL;
	if (fstatvfs(file, &mount) == 0 && (mount.f_flag & ST_NOSUID))
		return NULL;
	return privilege;
}

static void check_elf(struct program *program, int file)
{
	const char *privilege = find_privilege(file);
	struct elf_facts facts;

	if (!elf_facts_read(file, &facts))
		return;
	strcpy(program->sanitizer, facts.sanitizer);
	if (facts.obstacle[0])
		strcpy(program->obstacle, facts.obstacle);
	else if (privilege)
		snprintf(
			program->obstacle, sizeof program->obstacle,
			"is %s, so the dynamic linker preloads nothing into it: profile a copy without that privilege",
			privilege);
}

/* Opens the file that will run in the end; -1: it cannot be read, and so not be judged. */
static int open_last(struct program *program, bool *is_elf)
{
	char line[256]; /* as many bytes as the kernel reads */

	strcpy(program->file, program->path);
	for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
		int file = open(program->file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

		if (file < 0)
			return file;
		ssize_t length = pread(file, line, sizeof line - 1, 0);
		line[length > 0 ? length : 0] = '\0';
		*is_elf = length > SELFMAG && memcmp(line, ELFMAG, SELFMAG) == 0;
		if (!find_script_line(line))
			return file;
		close(file);
		program->error = find_exec_error(line);
		if (program->error)
			return -1;
		if (find_interpreter(line, program->file) != 0)
			return -1;
	}
	return -1;
}

void program_check(struct program *program)
{
	bool is_elf = false;
	int file = open_last(program, &is_elf);

	if (file >= 0 && !is_elf) { /* a script without `#!` goes to the shell, as with execvp */
		close(file);
		strcpy(program->file, "/bin/sh");
		file = open(program->file, O_RDONLY | O_CLOEXEC);
	}
	if (file < 0)
		return;
	check_elf(program, file);
	close(file);
}
