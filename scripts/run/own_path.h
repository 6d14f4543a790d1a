/* SPDX-License-Identifier: MIT */
/* Files that are found relative to the running executable: the same in the build tree and once
 * installed. */
#pragma once

#include <stddef.h>

/* The path `relative` to the directory of ptrace-run's own executable. Without /proc it is found by
 * the name that it was started by; "": neither leads there. */
void own_path_beside(char *path, size_t size, const char *relative);
