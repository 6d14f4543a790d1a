/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/counters/counter_roles.h"

#include <math.h>
#include <string.h>

/* Numbers of the kernel's interface (perf_event_open(2)): types, and configurations of them. */
enum {
	TYPE_HARDWARE = 0,
	TYPE_CACHE = 3,
	HARDWARE_CYCLES = 0,
	HARDWARE_INSTRUCTIONS = 1,
	HARDWARE_CACHE_MISSES = 3,
	CACHE_LAST_READ_MISS = 0x10002, /* last level, reads, misses */
};

static const struct {
	enum counter_role role;
	uint64_t type, config;
} numbers[] = {
	{COUNTER_CYCLES, TYPE_HARDWARE, HARDWARE_CYCLES},
	{COUNTER_INSTRUCTIONS, TYPE_HARDWARE, HARDWARE_INSTRUCTIONS},
	{COUNTER_CACHE_MISSES, TYPE_HARDWARE, HARDWARE_CACHE_MISSES},
	{COUNTER_CACHE_MISSES, TYPE_CACHE, CACHE_LAST_READ_MISS},
};

/* What the name begins with, behind "perf::" or a unit's name, and in front of attributes. */
static const struct {
	enum counter_role role;
	const char *name;
} names[] = {
	{COUNTER_CYCLES, "UNHALTED_CORE_CYCLES"},
	{COUNTER_CYCLES, "CPU_CLK_UNHALTED"},
	{COUNTER_CYCLES, "CYCLES_NOT_IN_HALT"},
	{COUNTER_CYCLES, "CPU_CYCLES"},
	{COUNTER_INSTRUCTIONS, "INSTRUCTION_RETIRED"},
	{COUNTER_INSTRUCTIONS, "INSTRUCTIONS_RETIRED"},
	{COUNTER_INSTRUCTIONS, "RETIRED_INSTRUCTIONS"},
	{COUNTER_INSTRUCTIONS, "INST_RETIRED"},
	{COUNTER_CACHE_MISSES, "LLC_MISSES"},
	{COUNTER_CACHE_MISSES, "LAST_LEVEL_CACHE_MISSES"},
	{COUNTER_CACHE_MISSES, "LONGEST_LAT_CACHE:MISS"},
	{COUNTER_MODIFIED, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM"},
	{COUNTER_MODIFIED, "MEM_LOAD_UOPS_L3_HIT_RETIRED:XSNP_HITM"},
	{COUNTER_MODIFIED, "MEM_LOAD_UOPS_LLC_HIT_RETIRED:XSNP_HITM"},
	{COUNTER_MODIFIED, "OCR:DEMAND_DATA_RD_L3_HIT_SNOOP_HITM"},
	{COUNTER_MODIFIED_FAR, "MEM_LOAD_L3_MISS_RETIRED:REMOTE_HITM"},
	{COUNTER_MODIFIED_FAR, "MEM_LOAD_UOPS_L3_MISS_RETIRED:REMOTE_HITM"},
	{COUNTER_MODIFIED_FAR, "MEM_LOAD_UOPS_LLC_MISS_RETIRED:REMOTE_HITM"},
	{COUNTER_MODIFIED_FAR, "OCR:DEMAND_DATA_RD_REMOTE_CACHE_SNOOP_HITM"},
};

/* Attributes that make another event of CPU_CLK_UNHALTED and INST_RETIRED. */
static bool is_plain(const char *attributes)
{
	static const char *const plain[] = {"", ":ANY", ":ANY_P", ":THREAD", ":THREAD_P"};

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (!strncasecmp(attributes, plain[i], strlen(plain[i])) &&
		    (!attributes[strlen(plain[i])] || strlen(attributes + strlen(plain[i])) == 2))
			return true; /* ":u" and ":k" may follow */
	return false;
}

static bool is_named(const char *name, enum counter_role role)
{
	const char *colons = strstr(name, "::");
	const char *own = colons ? colons + 2 : name;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].name);

		if (names[i].role == role && !strncasecmp(own, names[i].name, length) &&
		    is_plain(own + length))
			return true;
	}
	return false;
}

static bool is_role(const struct counter *row, enum counter_role role)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].role == role && numbers[i].type == row->type &&
		    numbers[i].config == (row->config & UINT32_MAX))
			return true; /* above 32 bits: the kind of core */
	return is_named(row->name, role);
}

size_t counters_role(const struct counters *counters, enum counter_role role)
{
	for (size_t i = 1; i < counters->limit; i++)
		if (counters->rows[i].grade != GRADE_UNKNOWN && is_role(&counters->rows[i], role))
			return i;
	return 0;
}

double counters_ipc(const struct counters *counters, const struct counter_place *place,
		    enum counter_part part)
{
	size_t cycles = counters_role(counters, COUNTER_CYCLES);
	size_t instructions = counters_role(counters, COUNTER_INSTRUCTIONS);
	double spent = cycles ? counters_value(counters, place, cycles, part) : NAN;

	if (!cycles || !instructions || !(spent > 0))
		return NAN;
	return counters_value(counters, place, instructions, part) / spent;
}
