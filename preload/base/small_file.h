/* SPDX-License-Identifier: MIT */
/* Reading a file of /proc or /sys with one read. Raw calls: this also runs in fork children and
 * signal handlers, and is no cancellation point. May change errno: a caller that must keep it saves
 * it. */
#pragma once

#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads as much as fits, and terminates it. Returns the length; 0 or negative if there is nothing,
 * -EAGAIN if no descriptor may be opened now (descriptors.h). */
static inline long small_file_read(const char *path, char *buffer, size_t capacity)
{
	struct descriptor file;
	int error = descriptors_open(&file, path, O_RDONLY | O_CLOEXEC);

	buffer[0] = '\0';
	if (error)
		return error;
	long length = kernel_call(SYS_read, file.number, buffer, capacity - 1);
	descriptors_close(&file);
	buffer[length > 0 ? length : 0] = '\0';
	return length;
}
