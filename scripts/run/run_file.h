/* SPDX-License-Identifier: MIT */
/* A file of the run directory that is written once, as a whole: whoever sees its name sees all of
 * it, and of several writers one wins. Context: ptrace-run. */
#pragma once

struct json_object;

/* Names of such files while they are being written begin so. */
#define RUN_FILE_SCRATCH ".run.json."

/* directory: open. The file ends in a line feed. Returns 0, also if the file exists already, or the
 * errno. */
int run_file_write_once(int directory, const char *name, struct json_object *object);

/* The same with a text; EEXIST: the file exists already. */
int run_file_write_new(int directory, const char *name, const char *text);

/* The file `own` of the directory, written, becomes `name` if there is none of that name, and is
 * gone otherwise. Works without hard links, too (vfat, file systems in user space). Returns 0,
 * EEXIST or another errno. */
int run_file_give_name(int directory, const char *own, const char *name);
