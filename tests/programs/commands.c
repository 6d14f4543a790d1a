/* SPDX-License-Identifier: MIT */
/* Streams of popen, and spawned processes: waits for what a command says, for it to take what is
 * written, for its end by fclose, and for a spawned one to begin. Truth: seconds in each. */
#include "truth.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static double reading(void)
{
	char line[64];
	double begin = now();
	FILE *pipe = popen("sleep 0.1; echo one; sleep 0.1; echo two; echo three", "r");
	int lines = 0;

	while (fgets(line, sizeof line, pipe))
		lines++;
	begin = now() - begin;
	truth("lines", lines);
	truth("read_status", pclose(pipe));
	return begin;
}

static double writing(void)
{
	static const char block[4096];
	FILE *pipe = popen("sleep 0.2; cat > /dev/null", "w");
	double begin = now();

	for (int i = 0; i < 64; i++)
		fwrite(block, 1, sizeof block, pipe);
	begin = now() - begin;
	fputs("the rest", pipe);
	truth("write_status", pclose(pipe));
	return begin;
}

static double closing(void)
{
	FILE *pipe = popen("sleep 0.2; exit 3", "r");
	int (*volatile end)(FILE *) = fclose; /* compilers warn of it */
	double begin = now();

	truth("close_status", WEXITSTATUS(end(pipe)));
	return now() - begin;
}

static void spawn(void)
{
	char *arguments[] = {"true", NULL};
	pid_t child;

	truth("spawned", !posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ));
	waitpid(child, NULL, 0);
}

int main(void)
{
	truth("reading", reading());
	truth("writing", writing());
	truth("closing", closing());
	spawn();
	truth_end();
	return 0;
}
