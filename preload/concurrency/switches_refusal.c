/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/switches_refusal.h"

#include "preload/base/kernel_call.h"
#include "preload/base/perf_filter.h"
#include "preload/base/small_file.h"
#include "preload/concurrency/switches.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define PARANOIA_FILE "/proc/sys/kernel/perf_event_paranoid"

enum { PARANOIA_ENOUGH = 2 };

/* The kernel looks at the flags before it looks at who asks; a filter answers in its place. */
static bool is_filtered(void)
{
	if (kernel_call(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) <= 0)
		return false;
	kernel_call(SYS_perf_event_open, NULL, 0, -1, -1, ~0ul);
	return errno != EINVAL;
}

static int read_paranoia(void)
{
	char text[16];

	return small_file_read(PARANOIA_FILE, text, sizeof text) > 0 ? atoi(text) : 0;
}

enum note_code switches_refusal(int error, uint32_t *detail)
{
	int saved = errno, paranoia = 0;
	enum note_code why = NOTE_NONE;

	*detail = 0;
	if (switches_lack_memory())
		return NOTE_SWITCHES_MEMORY;
	if (perf_filter_error())
		return perf_filter_error() == -EPERM ? NOTE_SWITCHES_KILLED : NOTE_NONE;
	if (error != -EPERM && error != -EACCES && error != -ENOSYS)
		return NOTE_NONE;
	if (is_filtered())
		why = NOTE_SWITCHES_FILTERED;
	else if (error != -ENOSYS && (paranoia = read_paranoia()) > PARANOIA_ENOUGH)
		why = NOTE_SWITCHES_PARANOID;
	if (why == NOTE_SWITCHES_PARANOID)
		*detail = (uint32_t)paranoia;
	errno = saved;
	return why;
}
