/* SPDX-License-Identifier: MIT */
/* The path of a file that is open. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The absolute path, without links, of what was opened as `name`: one system call where realpath
 * makes one for each part of the path. False: errno tells why, ENAMETOOLONG if it does not fit. */
bool open_path_read(int file, const char *name, char *path, size_t size);
