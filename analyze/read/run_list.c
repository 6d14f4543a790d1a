/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/run_list.h"

#include "analyze/base/memory.h"
#include "analyze/read/run_find.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "./x" is x. */
static const char *plain(const char *path)
{
	return strncmp(path, "./", 2) ? path : path + 2;
}

static bool is_passed_by(const FTSENT *entry)
{
	return entry->fts_level > RUN_FIND_LEVELS ||
	       (entry->fts_level > 0 && entry->fts_name[0] == '.');
}

static void visit(FTS *tree, FTSENT *entry, struct text_list *list)
{
	if (is_passed_by(entry)) {
		fts_set(tree, entry, FTS_SKIP);
	} else if (run_find_is(entry->fts_path)) {
		text_list_add(list, "%s", plain(entry->fts_path));
		fts_set(tree, entry, FTS_SKIP);
	}
}

struct text_list run_list_of(const char *directory, char **problem)
{
	char *start = memory_copy_text(directory);
	char *const starts[] = {start, NULL};
	FTS *tree = fts_open(starts, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL);
	struct text_list list = {0};
	FTSENT *entry;

	*problem = NULL;
	while (tree && (entry = fts_read(tree))) {
		bool is_unread = entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS ||
				 (entry->fts_info != FTS_D && entry->fts_info != FTS_DP);

		if (entry->fts_info == FTS_D)
			visit(tree, entry, &list);
		else if (is_unread && entry->fts_level == 0)
			*problem = memory_print(
				"cannot read %s: %s", directory,
				strerror(entry->fts_errno ? entry->fts_errno : ENOTDIR));
	}
	if (tree)
		fts_close(tree);
	free(start);
	return list;
}
