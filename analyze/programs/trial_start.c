/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/programs/trial_start.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT_PROFILE 125 /* of ptrace-run: from here on to 127 the program was not run */
#define NOT_FOUND      127

static char *find_starter(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length < 0)
		die("--run: /proc/self/exe cannot be read, beside which ptrace-run lies: %s",
		    strerror(errno));
	path[length] = '\0';
	*strrchr(path, '/') = '\0';
	char *starter = memory_print("%s/ptrace-run", path);

	if (access(starter, X_OK))
		die("--run: %s cannot be executed: %s; it has to lie beside ptrace-diff", starter,
		    strerror(errno));
	return starter;
}

static char **arguments_of(char *starter, char *const *words, const char *directory)
{
	static const char *const before[] = {"-q", "-o"};
	size_t count = 0, at = 0;

	while (words[count])
		count++;
	char **all = memory_allocate(count + 6, sizeof *all);

	all[at++] = starter;
	all[at++] = (char *)before[0];
	all[at++] = (char *)before[1];
	all[at++] = (char *)directory;
	all[at++] = (char *)"--";
	memcpy(all + at, words, count * sizeof *all);
	return all;
}

static _Noreturn void become(char **arguments, const char *output)
{
	int nothing = open("/dev/null", O_RDONLY);
	int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (file < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(file, 1) < 0 ||
	    dup2(file, 2) < 0)
		_exit(CANNOT_PROFILE);
	execv(arguments[0], arguments);
	_exit(CANNOT_PROFILE);
}

/* What ptrace-run said: the last line of the output; released by the caller. */
static char *last_line(const char *output)
{
	char line[512] = "", next[512];
	FILE *file = fopen(output, "re");

	while (file && fgets(next, sizeof next, file))
		strcpy(line, next);
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return memory_copy_text(*line ? line : "ptrace-run could not be started");
}

/* A program that was not run leaves nothing to look at: the first pair's directory goes, too. Those
 * of pairs that ended before stay, and are told. Returns what to say of it, released by the
 * caller. */
static char *discard(const char *output)
{
	char *directory = memory_copy_text(output);

	*strrchr(directory, '/') = '\0';
	unlink(output);
	char *left = rmdir(directory) ? memory_print("; what was made is in %s", directory)
				      : memory_copy_text("");

	free(directory);
	return left;
}

static _Noreturn void die_unprofiled(const char *program, int code, const char *output)
{
	char *reason = last_line(output);

	die("%s was not profiled (status %d): %s%s", program, code, reason, discard(output));
}

static void check(const char *program, int status, const char *output)
{
	if (WIFSIGNALED(status))
		die("%s was ended by signal %d (%s): nothing is compared; its output is in %s",
		    program, WTERMSIG(status), strsignal(WTERMSIG(status)), output);
	int code = WEXITSTATUS(status);

	if (code >= CANNOT_PROFILE && code <= NOT_FOUND)
		die_unprofiled(program, code, output);
	if (code)
		die("%s ended with status %d: nothing is compared, as what fails need not do its "
		    "work; its output is in %s",
		    program, code, output);
}

void trial_start(char *const *words, const char *directory, const char *output)
{
	char *starter = find_starter();
	char **arguments = arguments_of(starter, words, directory);
	pid_t child = fork();
	int status;

	if (child < 0)
		die("--run: no process can be started: %s", strerror(errno));
	if (!child)
		become(arguments, output);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			die("--run: %s", strerror(errno));
	check(words[0], status, output);
	free(arguments);
	free(starter);
}
