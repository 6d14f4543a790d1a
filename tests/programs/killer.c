/* SPDX-License-Identifier: MIT */
/* killer PROGRAM [ARG...]: starts the program, waits until it has printed a line and all of its
 * threads sleep, kills it, and prints how it ended. The child's stdout is a pipe. */
#include "truth.h"
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

/* The letter behind the last bracket. */
static int sleeps(const char *folder, const char *thread)
{
	char path[400], text[512] = "", *state;
	snprintf(path, sizeof path, "%s/%s/stat", folder, thread);
	FILE *file = fopen(path, "r");
	if (!file)
		return 0;
	size_t length = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[length] = '\0';
	state = strrchr(text, ')');
	return state && state[1] && state[2] == 'S';
}

static int all_sleep(pid_t child)
{
	char folder[64];
	int all = 1;
	snprintf(folder, sizeof folder, "/proc/%d/task", (int)child);
	DIR *threads = opendir(folder);
	if (!threads)
		return 1;
	for (struct dirent *entry; (entry = readdir(threads));)
		if (entry->d_name[0] != '.')
			all &= sleeps(folder, entry->d_name);
	closedir(threads);
	return all;
}

/* Ten looks in a row, a tenth of a second; a thread that takes naps is asleep in most. */
static void await_sleep(pid_t child)
{
	for (int looks = 0, asleep = 0; asleep < 10 && looks < 1000; looks++) {
		nap_raw(0.01);
		asleep = all_sleep(child) ? asleep + 1 : 0;
	}
}

int main(int argc, char **argv)
{
	int ends[2], status;
	char text[100];
	if (argc < 2 || pipe(ends))
		return 2;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 1);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (read(ends[0], text, sizeof text) <= 0)
		return 3;
	await_sleep(child);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	printf("killed by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return 0;
}
