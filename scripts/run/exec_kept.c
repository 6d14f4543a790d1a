/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "exec_kept.h"

#include "own_process.h"
#include "pending_signals.h"

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

enum { DESCRIPTORS_LOOKED_AT = 1024 };

static bool has_children(void)
{
	siginfo_t child;
	int options = WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT | __WALL;

	return waitid(P_ALL, 0, &child, options) == 0;
}

static bool has_pending_signals(void)
{
	return pending_signals() != 0;
}

/* A policy, or a nice value below 0, that the kernel takes away from children. */
static bool is_reset_on_fork(void)
{
	int policy = sched_getscheduler(0);

	return policy >= 0 && (policy & SCHED_RESET_ON_FORK);
}

static bool read_link(const char *path, char *text, size_t size)
{
	ssize_t length = readlink(path, text, size - 1);

	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* After unshare(CLONE_NEWPID) the next child is process 1. The link leads nowhere until then. */
static bool makes_first_process(void)
{
	static const char next_link[] = "/proc/self/ns/pid_for_children";
	char own[64], next[64];
	struct stat link;

	if (!read_link("/proc/self/ns/pid", own, sizeof own))
		return false;
	if (read_link(next_link, next, sizeof next))
		return strcmp(own, next) != 0;
	return lstat(next_link, &link) == 0;
}

/* The service manager listens to one process, and sends its signals there. Somebody at a terminal
 * should get the final line. */
static bool is_main_process(void)
{
	const char *process = getenv("SYSTEMD_EXEC_PID");

	return process && atol(process) == own_process_number() && !isatty(STDERR_FILENO);
}

/* In a line "1: POSIX  ADVISORY  WRITE 1234 08:01:5 0 EOF": the process that has the lock. Locks
 * that wait have "->" behind the number. */
static bool is_lock_of(const char *line, const char *process)
{
	char kind[8], owner[24];

	return sscanf(line, "%*s %7s %*s %*s %23s", kind, owner) == 2 &&
	       strcmp(kind, "POSIX") == 0 && strcmp(owner, process) == 0;
}

/* Numbers of the open descriptors, looked for once. Without /proc the first ones, open or not. */
static struct {
	int *numbers;
	size_t count;
} open_ones;

static void add_number(int number)
{
	int *longer = reallocarray(open_ones.numbers, open_ones.count + 1, sizeof number);

	if (!longer)
		return;
	open_ones.numbers = longer;
	longer[open_ones.count++] = number;
}

static void find_open_ones(void)
{
	DIR *directory = opendir("/proc/self/fd");

	for (int number = 0; !directory && number < DESCRIPTORS_LOOKED_AT; number++)
		add_number(number);
	if (!directory)
		return;
	for (struct dirent *entry; (entry = readdir(directory));)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(directory))
			add_number(atoi(entry->d_name));
	closedir(directory);
}

static bool has_descriptor(bool (*is_so)(int number))
{
	bool is_found = false;

	if (!open_ones.numbers)
		find_open_ones();
	for (size_t i = 0; i < open_ones.count && !is_found; i++)
		is_found = is_so(open_ones.numbers[i]);
	return is_found;
}

/* A lock of an open file does not conflict with its own, but with those of processes, ours as well.
 * Another process's may hide ours: then ours may be there. */
static bool may_be_locked(int number)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(number, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0;
}

/* Our number where /proc is of another PID namespace; "" if /proc is hidden. */
static const char *number_in_proc(void)
{
	static char number[24];

	if (!*number)
		read_link("/proc/self", number, sizeof number);
	return number;
}

static bool is_own_lock(const char *line)
{
	return strncmp(line, "lock:", 5) == 0 && is_lock_of(line + 5, number_in_proc());
}

/* False: /proc is hidden. Lines of the file's locks, the process's own and those of the open file,
 * of which there may be any number: a line that is cut is read on. A short read is the last one. */
static bool read_lock_lines(int number, bool *is_locked)
{
	char path[64], text[1024], *line, *end;
	size_t kept = 0, room;
	ssize_t length;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", number);
	int info = *number_in_proc() ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (info < 0)
		return false;
	*is_locked = false;
	do {
		room = sizeof text - 1 - kept;
		length = read(info, text + kept, room);
		text[kept + (length > 0 ? (size_t)length : 0)] = '\0';
		for (line = text; !*is_locked && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			*is_locked = is_own_lock(line);
		}
		kept = strlen(line);
		memmove(text, line, kept);
	} while (!*is_locked && length > 0 && (size_t)length == room);
	close(info);
	return true;
}

/* Files may lie on a server, which is not asked. Not by /proc/locks: to read it the kernel keeps
 * all programs from locking until each processor has gone through its scheduler, 5 to 20 ms. */
static bool is_locked(int number)
{
	struct stat status;
	bool is_locked;

	if (fstat(number, &status) == 0 && S_ISREG(status.st_mode) &&
	    read_lock_lines(number, &is_locked))
		return is_locked;
	return may_be_locked(number);
}

/* Locks of fcntl and lockf belong to the process; those of flock do not. */
static bool has_locks(void)
{
	return has_descriptor(is_locked);
}

/* The signals that a descriptor sends go to a process. */
static bool signals_own(int number)
{
	return fcntl(number, F_GETOWN) == own_process_number();
}

static bool has_bound_descriptors(void)
{
	return has_descriptor(signals_own);
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
	{has_locks, "its locks of files"},
	{has_bound_descriptors, "the signals of its descriptors"},
};

const char *exec_kept_find(void)
{
	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		if (kept[i].is_so())
			return kept[i].what;
	return NULL;
}
