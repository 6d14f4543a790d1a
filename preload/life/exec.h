/* SPDX-License-Identifier: MIT */
/* A process image may end by exec: its profile is written to the end before, and goes on if the
 * exec has failed.
 *
 * Most calls that fail look for a program where there is none (a search of PATH), and are so
 * quick that the profile's end would be most of their time: where that can be told before, the
 * profile does not end. Nothing is done about samples: the kernel deletes timers and their pending
 * signals with the image. Context: any thread, also a vfork child. errno is never changed. */
#pragma once

#include <stdbool.h>

/* What a call is to execute. */
struct exec_target {
	int directory;    /* path is relative to it; or, without path, the file itself */
	const char *path; /* NULL: see directory */
	bool is_searched; /* as a shell does, where it has no slash */
};

/* True if a fork child that is asleep may exec without a profile: its call is not counted. False if
 * the next program cannot be profiled, or if it is no such child. */
bool exec_is_slept_through(char *const environment[]);

/* Around the real exec; the environment decides whether the next program can be profiled. */
struct exec_attempt {
	bool has_ended; /* the profile */
	bool is_guest;  /* sealed_guest.h */
};
struct exec_attempt exec_begin(const struct exec_target *target, char *const environment[]);
void exec_has_failed(const struct exec_attempt *attempt);

/* Adds a note if a program that is started with that environment (posix_spawn) cannot be
 * profiled. */
void exec_note_environment(char *const environment[]);
