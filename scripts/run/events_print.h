/* SPDX-License-Identifier: MIT */
/* `ptrace-run --list-events`: what can be counted on this machine, found by opening each event
 * once. On standard output. */
#pragma once

/* pattern: a part of the name, or with * ? [ a pattern of it, in either case; NULL: all. */
void events_print(const char *pattern);
