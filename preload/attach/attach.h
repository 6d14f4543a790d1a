/* SPDX-License-Identifier: MIT */
/* The two functions that ptrace-attach finds by name and calls in the program. */
#pragma once

/* Begins a profile. texts: PTRACE_NAME=VALUE, each with its NUL, the last followed by another one.
 * 0, or a negative errno: -EALREADY it is profiled; -EAGAIN for now; -E2BIG the texts are too long;
 * otherwise why the profile could not be opened. */
__attribute__((visibility("default"))) int ptrace_attach_begin(const char *texts);

/* Ends it; the program goes on as it was. 0, -ENOENT: there is none; -EAGAIN: for now. */
__attribute__((visibility("default"))) int ptrace_attach_end(void);
