/* SPDX-License-Identifier: MIT */
/* Hints for branches whose weight is known, and the attribute of what the program calls. */
#pragma once

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Everything is hidden but what interposes a symbol of libc. */
#define EXPORTED __attribute__((visibility("default")))
