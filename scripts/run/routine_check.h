/* SPDX-License-Identifier: MIT */
/* Whether the routines that the user named as sections (--section-routine) can be seen: called
 * through an import of a loaded object, or compiled with -finstrument-functions. */
#pragma once

struct program;

/* names: separated by commas. Ends with status 2 and a line where one cannot be seen, with the
 * nearest names; returns for a program that opens libraries while it runs, as the name may be of
 * one of these, and for one that starts others, where no name is near. What the library needs to
 * know is put into the environment: PTRACE_SECTION_ROUTINE, and
 * PTRACE_SECTION_HOOKS=NAME@ADDRESS,.. for instrumented ones, addresses as in the program's file.
 */
void routine_check(const struct program *program, const char *names);
