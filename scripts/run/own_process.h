/* SPDX-License-Identifier: MIT */
/* What the kernel says of this process and stays as it is: asked once. Not in a vfork child, which
 * has another number and the same memory. */
#pragma once

#include <sys/types.h>

pid_t own_process_number(void);

/* The host's name, cut to 255 bytes; "" if it has none. */
const char *own_process_host(void);
