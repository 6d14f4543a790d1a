/* SPDX-License-Identifier: MIT */
/* What a row of any table of a profile is of, in words that hold for other runs: its key columns,
 * with references followed to names.
 *
 * A call path is the innermost routine of the program's own code, an object its name, a module its
 * file name, a row of any other table that row's own key. Left out: addresses, and threads, which
 * have no name that lasts. Context: pure but for names; the profile's names are asked for. */
#pragma once

#include "analyze/model/common/names.h"

/* "name=value, ..."; "" without keys; released by the caller. */
char *row_key_text(struct names *names, const struct profile *profile, const struct table *table,
		   const unsigned char *row);
