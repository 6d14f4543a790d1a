/* SPDX-License-Identifier: MIT */
/* Short files of /proc and /sys, whose text the kernel makes at once. Without stdio: some are read
 * for each thread in each frame, or whenever a program starts. */
#pragma once

#include <stddef.h>

/* Reads the file of that path with one read. Bytes read, at most size - 1, ended by a zero; 0:
 * none, or it cannot be read. */
size_t proc_file_read(char *text, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* What follows `field:` and its blanks, in the line that begins so; NULL: no line does. */
const char *proc_file_field(const char *text, const char *field);
