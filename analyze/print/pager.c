/* SPDX-License-Identifier: MIT */
#include "analyze/print/pager.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_taller(const char *text, unsigned rows)
{
	unsigned lines = 0;

	for (; *text && lines < rows; text++)
		lines += *text == '\n';
	return lines >= rows;
}

static bool needs_pager(FILE *out, const char *text)
{
	struct winsize size = {.ws_row = 0};

	return out == stdout && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) &&
	       !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row &&
	       is_taller(text, size.ws_row);
}

/* NULL: none. */
static const char *pager_name(void)
{
	const char *name = getenv("PTRACE_PAGER");

	if (!name)
		name = getenv("PAGER");
	if (!name)
		name = system("command -v less >/dev/null 2>&1") ? "" : "less";
	return name[strspn(name, " \t")] && strcmp(name, "cat") ? name : NULL;
}

/* Who leaves the pager before the end has seen enough: that is no error. */
/* False: there is no such program. */
static bool print_by(const char *pager, const char *text)
{
	enum { CANNOT_EXECUTE = 126, NOT_FOUND = 127 }; /* of the shell */
	int status = 0;

	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	setenv("LESS", "FRX", false);
	FILE *pipe = popen(pager, "we");

	if (pipe) {
		fputs(text, pipe);
		status = pclose(pipe);
	}
	signal(SIGPIPE, before);
	return pipe && !(WIFEXITED(status) && (WEXITSTATUS(status) == CANNOT_EXECUTE ||
					       WEXITSTATUS(status) == NOT_FOUND));
}

void pager_print(FILE *out, const char *text)
{
	const char *pager = needs_pager(out, text) ? pager_name() : NULL;

	fflush(out);
	if (!pager || !print_by(pager, text))
		fputs(text, out);
}
