/* SPDX-License-Identifier: MIT */
/* Valgrind's helgrind and drd follow each lock and each access to memory. Our wrappers take free
 * locks without libc, and what our threads share they share by atomics, of which these checkers
 * know nothing: a clean program would get thousands of lines about both. Valgrind preloads their
 * interceptors, and calls of wrappers that are inert are libc's. Context: start-up. */
#pragma once

#include "preload/base/environment.h"

#include <stdbool.h>

static inline bool race_checker_is_there(void)
{
	const char *libraries = environment_value("LD_PRELOAD");

	return libraries &&
	       (strstr(libraries, "/vgpreload_helgrind") || strstr(libraries, "/vgpreload_drd"));
}
