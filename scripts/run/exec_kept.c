/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "exec_kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool has_children(void)
{
	siginfo_t child;
	int options = WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT | __WALL;

	return waitid(P_ALL, 0, &child, options) == 0;
}

static bool has_pending_signals(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && !sigisemptyset(&pending);
}

/* A policy, or a nice value below 0, that the kernel takes away from children. */
static bool is_reset_on_fork(void)
{
	int policy = sched_getscheduler(0);

	return policy >= 0 && (policy & SCHED_RESET_ON_FORK);
}

/* After unshare(CLONE_NEWPID) the next child is process 1. The link leads nowhere until then. */
static bool makes_first_process(void)
{
	struct stat own, link, next;

	if (stat("/proc/self/ns/pid", &own) < 0 ||
	    lstat("/proc/self/ns/pid_for_children", &link) < 0)
		return false;
	return stat("/proc/self/ns/pid_for_children", &next) < 0 || next.st_ino != own.st_ino;
}

/* The service manager listens to one process, and sends its signals there. Somebody at a terminal
 * should get the final line. */
static bool is_main_process(void)
{
	const char *process = getenv("SYSTEMD_EXEC_PID");

	return process && atol(process) == getpid() && !isatty(STDERR_FILENO);
}

/* Locks of fcntl and lockf belong to the process; those of flock do not. */
static bool has_locked(int number)
{
	char path[40], text[4096];

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", number);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	ssize_t size = read(file, text, sizeof text - 1);
	close(file);
	text[size > 0 ? size : 0] = '\0';
	return strstr(text, ": POSIX ") != NULL;
}

static bool is_bound(int number)
{
	struct stat status;

	if (fstat(number, &status) < 0)
		return false;
	bool may_be_locked = !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
	return (may_be_locked && has_locked(number)) || fcntl(number, F_GETOWN) == getpid();
}

static bool has_bound_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	bool is_found = false;

	if (!directory)
		return false;
	for (struct dirent *entry; !is_found && (entry = readdir(directory));)
		is_found = entry->d_name[0] != '.' && is_bound(atoi(entry->d_name));
	closedir(directory);
	return is_found;
}

static const struct {
	bool (*is_so)(void);
	const char *what;
} kept[] = {
	{has_children, "the children that its caller has started"},
	{has_pending_signals, "the signals that came before its start"},
	{is_reset_on_fork, "its scheduling, which is reset on fork"},
	{makes_first_process, "its place outside of the new PID namespace"},
	{is_main_process, "its place as the main process of the service"},
	{has_bound_descriptors, "its locks of files, or signals of descriptors"},
};

const char *exec_kept_find(void)
{
	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		if (kept[i].is_so())
			return kept[i].what;
	return NULL;
}
