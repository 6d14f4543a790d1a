/* SPDX-License-Identifier: MIT */
/* Views for common questions, so that most queries need no join. Context: one thread. */
#pragma once

#include "analyze/export/sqlite_store.h"

#include <stdbool.h>

/* Creates the views, and a table `views` that says which question each one answers. */
void sqlite_views_write(struct sqlite_store *store);
bool sqlite_views_has(const char *name);
