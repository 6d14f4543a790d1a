/* SPDX-License-Identifier: MIT */
/* Where the parts of static objects lie, as the compiler has it: a line of expression and distance
 * from `anchor` each. */
#pragma once

#include <stdint.h>
#include <stdio.h>

extern long anchor;

#define TELL_AS(name, part)                                                                        \
	printf("%s\t%lld\n", name, (long long)((intptr_t) & (part) - (intptr_t)&anchor))
#define TELL(part) TELL_AS(#part, part)
