/* SPDX-License-Identifier: MIT */
/* The address by which both ends of a socket are known: that of the server, as the profile has it
 * for the client ("tcp 127.0.0.1:6379") and for the server ("tcp 127.0.0.1:6379, accepted"). A
 * server that listens for both kinds of IP sees an IPv4 client's as an IPv6 address, which is
 * written as the client does. Context: pure. */
#pragma once

#include "analyze/model/pipelines/pipe_end.h"

/* Sets kind, name and is_accepted; false: it has no address (as the two ends of a socketpair), or
 * is no stream. */
bool socket_end_of(const char *name, struct pipe_end *end);
