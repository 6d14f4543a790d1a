/* SPDX-License-Identifier: MIT */
/* The words for the numbers of a profile, as tables. Context: one thread. */
#pragma once

#include "analyze/export/sqlite_store.h"

#include <stdbool.h>

void sqlite_vocabulary_write(struct sqlite_store *store);
bool sqlite_vocabulary_has(const char *name);
