/* SPDX-License-Identifier: MIT */
/* The events that libpfm4 has names for on this processor: those of the PMUs (performance
 * monitoring units) that it believes to be present. It judges by the kind of processor alone:
 * whether one can be counted is only known by opening it (event_probe.h). */
#pragma once

#include <stdbool.h>

struct event_name {
	const char *pmu;  /* of libpfm4: perf, skl, amd64_fam19h_zen3 */
	const char *name; /* as a user writes it; generic names in lower case, as perf has them */
	const char *description; /* for generic names of no use: the name once more */
	int index;               /* of libpfm4 */
	bool is_generic;         /* a name of the kernel's for any processor */
	bool is_alias;           /* another name of an event */
	bool is_of_socket;       /* of a unit that threads share: not countable for one of them */
};

struct event_attribute {
	const char *name, *description;
	bool is_unit_mask; /* which kind of the event; else a modifier, such as u or precise */
};

/* Of all units that are present, in libpfm4's order. The texts live until the next call. */
void event_names_each(void (*visit)(const struct event_name *event, void *context), void *context);

void event_names_each_attribute(int index,
				void (*visit)(const struct event_attribute *attribute,
					      void *context),
				void *context);

enum { EVENT_PMUS_MAX = 16 };

/* Names of the units of a processor's core that are present; returns their number. */
int event_names_core_pmus(const char *names[EVENT_PMUS_MAX]);
