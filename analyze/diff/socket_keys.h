/* SPDX-License-Identifier: MIT */
/* Keys of sockets: the kernel chooses ports, and two tests at the same time listen on different
 * ones.
 *
 * A socket is a listening or an accepted one, or one of this machine itself (127.*, ::1). Its port
 * stays in keys and names if at least half of the runs of each side have a socket of that name;
 * otherwise it is left out ("socket tcp 127.0.0.1, accepted"), and figures that have the same name
 * then are united. A connection to another machine keeps its port, which says what serves there.
 * Context: one thread. */
#pragma once

#include "analyze/diff/side.h"

/* Of the figures of all runs. May be called again with more runs. */
void socket_keys_match(struct side sides[2]);
