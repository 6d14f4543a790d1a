/* SPDX-License-Identifier: MIT */
/* Names of an object that were found once, kept for the next report.
 *
 * Looking up 50,000 addresses in 100 MiB of debugging information takes seconds, and the answers
 * are the same until the object, its debugging information, or the code that looks them up is
 * another one. There is one file for each object, BUILD-ID.sqlite in ptrace/names of the user's
 * cache directory ($XDG_CACHE_HOME, else ~/.cache). It may be deleted at any time: whenever
 * anything about it is not as expected, names are looked up. It is written beside its place and put
 * there at once, so that reports at the same time do no harm to each other: what the last one wrote
 * stays. Context: the analyzer, one thread. */
#pragma once

#include "analyze/symbols/name_answers.h"

/* What all files together may have, and one of them; the oldest are removed. */
#define NAME_CACHE_TOTAL_BYTES (256 << 20)
#define NAME_CACHE_FILE_BYTES  (64 << 20)
/* Answers of one file that depend on other objects as well, and that the last report did not ask
 * for: a library's file would grow with each program, and each build of it, that uses the library. */
#define NAME_CACHE_OLD_MAX 2048

struct name_cache;

/* identity: what the answers depend on; a file of another one is not used. NULL: there is no cache
 * directory that is the user's own. */
struct name_cache *name_cache_open(const char *build_id, const char *identity);
struct name_answers *name_cache_answers(struct name_cache *cache);

/* Writes the answers if there are more than were read, and is_complete: all was found that could
 * be. NULL: nothing to do. */
void name_cache_close(struct name_cache *cache, bool is_complete);
