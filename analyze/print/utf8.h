/* SPDX-License-Identifier: MIT */
/* What is a character and what is not, in texts that programs chose: thread names, paths,
 * arguments. Context: pure. */
#pragma once

#include <stddef.h>

/* U+FFFD, what stands in the place of a byte that is no text. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the UTF-8 character at `character`, 0 if there is none (RFC 3629: no surrogates, no
 * overlong forms; the end of the text is none). */
size_t utf8_bytes(const char *character);
