/* SPDX-License-Identifier: MIT */
#include "preload/process/process_memory.h"

#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/process/process_row.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { STATUS_BYTES = 1024, LINE_BYTES = 100, KIB = 1024 };

static long begun_kib; /* ru_maxrss when the profile began */

void process_memory_begin(void)
{
	struct rusage usage;

	system_usage(&usage);
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

/* The number behind name, which begins a line; 0: there is none. The list of groups, which stands
 * before it, may have thousands: so the text is read in parts, and the end of each, where a line
 * may be cut, is seen once more. */
static uint64_t read_number(const struct descriptor *file, const char *name)
{
	char text[STATUS_BYTES];
	size_t kept = 0;
	long length;

	while ((length = kernel_call(SYS_read, file->number, text + kept, sizeof text - 1 - kept)) >
	       0) {
		size_t bytes = kept + (size_t)length;
		text[bytes] = '\0';
		const char *at = strstr(text, name);
		if (at && strchr(at + 1, '\n')) {
			at += strlen(name);
			return text_read_number(&at);
		}
		kept = bytes < LINE_BYTES ? bytes : LINE_BYTES;
		memmove(text, text + bytes - kept, kept);
	}
	return 0;
}

void process_memory_finish(void)
{
	struct descriptor status;

	if (process_row->memory_peak_bytes ||
	    descriptors_open(&status, "/proc/self/status", O_RDONLY | O_CLOEXEC))
		return;
	int saved = errno;
	process_row->memory_peak_bytes = read_number(&status, "\nVmHWM:") * KIB;
	errno = saved;
	descriptors_close(&status);
}
