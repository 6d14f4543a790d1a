/* SPDX-License-Identifier: MIT */
/* Where presets are: NAME.events in the folders of PTRACE_EVENT_PATH (with colons between them),
 * then in the user's $XDG_CONFIG_HOME/libptrace/events or ~/.config/libptrace/events, then in
 * ../share/libptrace/events of the directory of ptrace-run. The first one counts. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* A name with a slash is the path itself. False: there is none of this name. */
bool preset_find(const char *name, char path[PATH_MAX]);

enum { PRESETS_MAX = 128 };

struct preset_names {
	int count;
	char *names[PRESETS_MAX + 1]; /* sorted, each once; ended by NULL */
};

void preset_names_find(struct preset_names *presets);
void preset_names_free(struct preset_names *presets);
