/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program_copy.h"

#include "open_path.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FOLDER "symbols"

enum { BYTES_MOST = 16 << 20, ROOM_LEAST = 64 << 20 };

static const char *const installed[] = {"/usr/", "/bin/", "/sbin/", "/lib"};

static bool is_installed(const char *path)
{
	for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++)
		if (strncmp(path, installed[i], strlen(installed[i])) == 0 &&
		    strncmp(path, "/usr/local/", 11) != 0)
			return true;
	return false;
}

/* As the kernel names what has no name any more. */
static bool is_deleted(const char *path)
{
	static const char end[] = " (deleted)";
	size_t length = strlen(path);

	return length > strlen(end) && strcmp(path + length - strlen(end), end) == 0;
}

/* Names the copy symbols/PATH, and opens what is to be copied; -1: no copy is to be made of it. */
static int open_original(const char *path, char name[PATH_MAX])
{
	char real[PATH_MAX];
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file >= 0 && open_path_read(file, path, real, sizeof real) && !is_installed(real) &&
	    !is_deleted(real) && snprintf(name, PATH_MAX, FOLDER "%s", real) < PATH_MAX)
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

static void make_folders(int directory, char *name)
{
	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdirat(directory, name, 0700); /* or it exists: openat will tell */
		*slash = '/';
	}
}

static void remove_copy(int directory, char *name)
{
	char *slash;

	unlinkat(directory, name, 0);
	while ((slash = strrchr(name, '/'))) {
		*slash = '\0';
		if (unlinkat(directory, name, AT_REMOVEDIR) < 0)
			return;
	}
}

static bool copy_bytes(int to, int from, off_t bytes)
{
	off_t at = 0;

	if (ioctl(to, FICLONE, from) == 0)
		return true;
	while (at < bytes)
		if (sendfile(to, from, &at, (size_t)(bytes - at)) <= 0)
			return false;
	return true;
}

static bool is_fit(int directory, int file, off_t *bytes)
{
	struct statvfs system;
	struct stat status;

	if (fstat(file, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size > BYTES_MOST ||
	    fstatvfs(directory, &system) < 0)
		return false;
	*bytes = status.st_size;
	return (uint64_t)system.f_bavail * system.f_frsize > ROOM_LEAST + (uint64_t)*bytes;
}

void program_copy_make(const struct run_directory *run, const char *path)
{
	char name[PATH_MAX];
	off_t bytes;
	int to = -1, from = open_original(path, name);

	if (from < 0)
		return;
	if (is_fit(run->file, from, &bytes)) {
		make_folders(run->file, name);
		to = openat(run->file, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
	}
	if (to >= 0 && !copy_bytes(to, from, bytes))
		remove_copy(run->file, name);
	if (to >= 0)
		close(to);
	close(from);
}

void program_copy_remove(const struct run_directory *run, const char *path)
{
	char name[PATH_MAX];
	int original = open_original(path, name);

	if (original < 0)
		return;
	remove_copy(run->file, name);
	close(original);
}
