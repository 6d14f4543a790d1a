/* SPDX-License-Identifier: MIT */
/* Names of C++ and Rust routines without their template arguments. Context: pure. */
#pragma once

#include <stdbool.h>

/* mark: what stands for what is left out: "std::vector<..>::push_back" of "..". Released by the
 * caller. */
char *plain_name(const char *name, const char *mark);

/* Does a user who asks for `wanted` mean the routine `name`? What stands before the last "::" may
 * be left out, and so may template arguments. */
bool plain_name_is(const char *name, const char *wanted);
