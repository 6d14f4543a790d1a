/* SPDX-License-Identifier: MIT */
/* Files of /proc and /sys. Short ones, whose text the kernel makes at once, are read without stdio:
 * some for each thread in each frame, or whenever a program starts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Reads the file of that path with one read. Bytes read, at most size - 1, ended by a zero; 0:
 * none, or it cannot be read. */
size_t proc_file_read(char *text, size_t size, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/* What follows `field:` and its blanks, in the line that begins so; NULL: no line does. */
const char *proc_file_field(const char *text, const char *field);

/* The same of a file of any length, cut to size - 1 bytes: /proc/PID/status has a list of up to
 * 65536 groups. False: there is no such line; the value is "". */
bool proc_file_value(char *value, size_t size, const char *field, const char *path, ...)
	__attribute__((format(printf, 4, 5)));
