/* SPDX-License-Identifier: MIT */
/* Code that does what a call of libc's does: a section of its own, whose ends the linker knows, so
 * that samples in it are told from others (samples/sample_take.c). */
#pragma once

/* In front of a wrapper that does the call's work and ours. */
#define REPLACES(call) __attribute__((section("replaces_" #call)))

/* In front of a function that does nothing that the call would not do. */
#define STANDS_FOR(call) __attribute__((noinline, section("stands_for_" #call)))
