/* SPDX-License-Identifier: MIT */
/* Reading profiles (profile.h). Context: reads files; prints nothing. */
#pragma once

#include "analyze/read/profile.h"

/* NULL, with a reason that the caller releases, if the file is no profile. */
struct profile *profile_open(const char *path, char **problem);
/* The same, but only process, threads and children are read: a tenth of the work. */
struct profile *profile_open_summary(const char *path, char **problem);
/* Only what was recorded in the section of that name (profile_within.h); NULL: all of it. */
struct profile *profile_open_within(const char *path, const char *section, char **problem);
/* Takes ownership of the bytes in any case. */
struct profile *profile_parse(const char *path, unsigned char *bytes, size_t size, char **problem);
struct profile *profile_parse_within(const char *path, unsigned char *bytes, size_t size,
				     const char *section, char **problem);
void profile_destroy(struct profile *profile);
