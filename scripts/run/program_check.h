/* SPDX-License-Identifier: MIT */
/* Which file a command will really run, and whether the dynamic linker will preload anything into
 * it.
 *
 * The rules are those of execvp(3), of the kernel's `#!` lines, of /usr/bin/env in such a line, and
 * of ld.so(8) for secure execution. A file that cannot be read is not judged: the kernel decides
 * when it is executed. */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct program {
	const char *name;    /* as the user gave it */
	char path[PATH_MAX]; /* what is executed */
	char file[PATH_MAX]; /* the ELF file that will run: path, or the interpreter of the script
			      */
	char obstacle[256];  /* why nothing can be preloaded, and the remedy; "" if it can */
	int error; /* errno of the later execve: the interpreter of a script does not exist, or may
		      not be executed */
	char sanitizer[64]; /* runtime library of a sanitizer that it needs, "" if none */
};

/* Finds name along PATH. Returns 0, or the errno that execvp would have given. */
int program_find(struct program *program, const char *name);

/* Sets file, obstacle and sanitizer of a program that was found. */
void program_check(struct program *program);
