/* SPDX-License-Identifier: MIT */
/* Texts of /proc about another process and its threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The file /proc/PROCESS/name, up to size - 1 bytes, ended by 0. Returns their number, or a
 * negative errno. */
long proc_text_read(pid_t process, const char *name, char *text, size_t size);

/* The rest of the line `field:` of /proc/PROCESS/status, or of one of its threads (0: of the
 * process), without blanks before it; "" if there is none. */
void proc_text_field(pid_t process, pid_t thread, const char *field, char *value, size_t size);
long proc_text_number(pid_t process, pid_t thread, const char *field);
/* A set of signals, written as a hexadecimal number. */
uint64_t proc_text_set(pid_t process, pid_t thread, const char *field);

/* A process that ends gives back its memory first, and then its files and directories: what else
 * /proc says of it is no longer so. Nor has one that does not exist any. */
bool proc_text_has_memory(pid_t process);

/* In what system call does the thread wait? False: it runs, or is gone. */
bool proc_text_call(pid_t process, pid_t thread, long *number, uint64_t arguments[6]);
