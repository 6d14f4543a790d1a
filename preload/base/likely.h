/* SPDX-License-Identifier: MIT */
/* Hints for branches whose likelihood is known, and the attribute of functions that the program
 * calls. */
#pragma once

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Everything is hidden except functions that interpose a symbol. */
#define EXPORTED __attribute__((visibility("default")))

/* clang has no attribute `copy`, and none of gcc's warnings for which it is there. */
#if __has_attribute(copy)
#define LIKE(name) __attribute__((copy(name)))
#else
#define LIKE(name)
#endif

/* A further name under which libc exports a wrapped call (scripts/check-aliases). */
#define ALIAS(alias_name, name)                                                                    \
	extern EXPORTED __typeof__(name) alias_name __attribute__((alias(#name))) LIKE(name);

/* The name and version that a function is called by: "@@" before today's version, "@" before
 * others (scripts/check-versions). Files with it stand in the Makefile's ASSEMBLER. */
#define VERSION(function, symbol, version) __asm__(".symver " #function "," #symbol version);
