/* SPDX-License-Identifier: MIT */
/* Reading a file of /proc or /sys at one go. Raw calls: this also runs in fork children and signal
 * handlers, and is no cancellation point. May change errno: whoever must keep it, saves it. */
#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As much as fits, terminated; its length, 0 or negative if there is nothing. */
static inline long small_file_read(const char *path, char *buffer, size_t capacity)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);

	buffer[0] = '\0';
	if (fd < 0)
		return -1;
	long length = syscall(SYS_read, fd, buffer, capacity - 1);
	syscall(SYS_close, fd);
	buffer[length > 0 ? length : 0] = '\0';
	return length;
}
