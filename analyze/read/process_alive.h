/* SPDX-License-Identifier: MIT */
/* Whether the process of a profile is still running, and whether it did here. */
#pragma once

#include "analyze/read/profile.h"

/* True if the profile records no end, was written on this host, and a process with that number is
 * alive that started early enough to be the same one: process numbers are reused. */
bool process_is_alive(const struct profile *profile);

/* True: on this host, and its number means here what it meant there. */
bool process_was_here(const struct profile *profile);
