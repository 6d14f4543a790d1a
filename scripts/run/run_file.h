/* SPDX-License-Identifier: MIT */
/* A file of the run directory that is written once, as a whole: whoever sees its name sees all of
 * it, and of several writers one wins. Context: ptrace-run. */
#pragma once

struct json_object;

/* directory: open. The file ends in a line feed. Returns 0, also if the file exists already, or the
 * errno. */
int run_file_write_once(int directory, const char *name, struct json_object *object);
