/* SPDX-License-Identifier: MIT */
/* libpfm4, which knows the events of processors by their names.
 *
 * It is loaded when it is first asked for, and not linked: its tables have 41,000 relocations,
 * which would add 1.5 ms to each start of ptrace-run (0.7 ms become 2.2 ms), whether events are
 * asked for or not. Context: ptrace-run, before the program starts. */
#pragma once

#include <perfmon/pfmlib_perf_event.h>

struct pfm_library {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_find_event) *find_event;
	__typeof__(pfm_get_pmu_info) *get_pmu_info;
	__typeof__(pfm_get_event_next) *get_event_next;
	__typeof__(pfm_get_event_info) *get_event_info;
	__typeof__(pfm_get_event_attr_info) *get_attribute;
	__typeof__(pfm_get_os_event_encoding) *encode;
};

/* Initialized. If it is not installed, ends ptrace-run with a message and status 125. */
const struct pfm_library *pfm_library(void);
