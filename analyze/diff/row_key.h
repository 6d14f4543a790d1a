/* SPDX-License-Identifier: MIT */
/* What identifies a row of any table of a profile, in words that are valid for other runs: its key
 * columns, with references replaced by names.
 *
 * A call path is the innermost routine of the program's own code, an object its name, a module its
 * file name, a row of any other table that row's own key. Left out: addresses, and threads, which
 * have no name that lasts. Context: pure but for names; the profile's names are looked up. */
#pragma once

#include "analyze/model/common/names.h"

/* "name=value, ..."; "" without keys; released by the caller. */
char *row_key_text(struct names *names, const struct profile *profile, const struct table *table,
		   const unsigned char *row);
