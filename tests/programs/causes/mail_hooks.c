/* SPDX-License-Identifier: MIT */
/* Starts a program for each message of a mailbox whose index is in memory. fork copies the page
 * tables of the index each time, though the child does nothing but start the program.
 *
 * cause: fork of a process with a large memory
 * finding: fork-copies
 * place: start_hook|run_hook
 */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGES = 60, PAGE = 4096 };
static const size_t index_bytes = (size_t)768 << 20;

static bool fixed;
static char *const hook[] = {"true", NULL};

static void fill_index(void)
{
	uint8_t *index = mmap(NULL, index_bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (index == MAP_FAILED)
		abort();
	madvise(index, index_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < index_bytes; i += PAGE)
		index[i] = (uint8_t)(i / PAGE);
}

static pid_t start_hook(void)
{
	pid_t child;

	if (fixed)
		return posix_spawnp(&child, hook[0], NULL, NULL, hook, environ) ? -1 : child;
	child = fork();
	if (!child) {
		execvp(hook[0], hook);
		_exit(127);
	}
	return child;
}

static int run_hook(void)
{
	int status = -1;
	pid_t child = start_hook();

	return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

int main(int count, char **arguments)
{
	int failed = 0;

	fixed = count > 1 && !strcmp(arguments[1], "fixed");
	fill_index();
	for (int i = 0; i < MESSAGES; i++)
		failed += run_hook() != 0;
	printf("%d failed\n", failed);
	return failed != 0;
}
