/* SPDX-License-Identifier: MIT */
/* A seccomp filter may kill for perf_event_open, as a systemd unit with SystemCallFilter= does. The
 * library looks for itself (preload/base/perf_filter.h): programs may have further filters. */
#pragma once

#include <stdbool.h>

/* Where there is a filter, a child of ours tries it, once. True: also if it could not be tried. */
bool perf_filter_kills(void);
