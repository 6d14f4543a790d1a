/* SPDX-License-Identifier: MIT */
#include "preload/process/process_memory.h"

#include "preload/base/small_file.h"
#include "preload/base/text.h"
#include "preload/process/process_row.h"

#include <string.h>
#include <sys/resource.h>

enum { STATUS_BYTES = 1024, KIB = 1024 };

static long begun_kib; /* ru_maxrss when the profile began */

void process_memory_begin(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	begun_kib = usage.ru_maxrss;
}

/* Several threads may write at once, and a smaller value last: the next update repairs it. */
void process_memory_note(long largest_kib)
{
	uint64_t bytes = (uint64_t)largest_kib * KIB;

	if (process_row && largest_kib > begun_kib &&
	    bytes > __atomic_load_n(&process_row->memory_peak_bytes, __ATOMIC_RELAXED))
		__atomic_store_n(&process_row->memory_peak_bytes, bytes, __ATOMIC_RELAXED);
}

void process_memory_finish(void)
{
	static const char name[] = "\nVmHWM:";
	char status[STATUS_BYTES];

	if (process_row->memory_peak_bytes ||
	    small_file_read("/proc/self/status", status, sizeof status) <= 0)
		return;
	const char *at = strstr(status, name);

	if (!at)
		return;
	at += strlen(name);
	process_row->memory_peak_bytes = text_read_number(&at) * KIB;
}
