/* SPDX-License-Identifier: MIT */
/* Where programs of the user keep what can be made anew. Context: pure but for the environment. */
#pragma once

/* $XDG_CACHE_HOME, else ~/.cache; released by the caller. NULL: neither is an absolute path, and
 * others are to be ignored (freedesktop.org, "XDG Base Directory Specification"). */
char *user_cache_root(void);
