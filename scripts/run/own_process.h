/* SPDX-License-Identifier: MIT */
/* What the kernel says of this process, and stays as it is. Not in a vfork child, which has another
 * number and the same memory. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Both are asked once. */
pid_t own_process_number(void);

/* The host's name, cut to 255 bytes; "" if it has none. */
const char *own_process_host(void);

/* The path `relative` to the directory of our own executable, which is the same in the build tree
 * and once installed. Without /proc it is found by the name that it was started by; "": neither
 * leads there. */
void own_process_beside(char *path, size_t size, const char *relative);
