/* SPDX-License-Identifier: MIT */
/* Which bytes are characters, in texts that programs chose: thread names, paths, arguments.
 * Context: pure. */
#pragma once

#include <stddef.h>

/* U+FFFD, which replaces bytes that are no text. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Number of bytes of the UTF-8 character at `character`, 0 if there is none (RFC 3629: no
 * surrogates, no overlong forms; the end of the text is no character). */
size_t utf8_bytes(const char *character);

/* Bytes to the next character: 1 where there is none. */
size_t utf8_step(const char *character);

/* Columns that the character takes on a terminal: 2 if it is wide, 0 if it is drawn into the one
 * before, 1 if it is none. Asks the locale (wcwidth): without one of UTF-8 each counts as 1. */
unsigned utf8_columns(const char *character);
