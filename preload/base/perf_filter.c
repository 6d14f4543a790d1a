/* SPDX-License-Identifier: MIT */
#include "preload/base/perf_filter.h"

#include "preload/base/kernel_call.h"
#include "preload/base/signal_block.h"

#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { MODE_FILTER = 2 };

static int error_found; /* written at start-up only */

/* Flags that do not exist: no event is opened. Without a core file of it. */
static _Noreturn void try_call(void)
{
	kernel_call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	kernel_call(SYS_perf_event_open, NULL, 0, -1, -1, ~0ul);
	for (;;)
		kernel_call(SYS_exit_group, 0);
}

/* No signal at its end, so that neither a handler nor a wait of the program sees it. */
static int try_in_child(void)
{
	int status = 0;
	long child = kernel_call(SYS_clone, 0, NULL, NULL, NULL, NULL);

	if (child == 0)
		try_call();
	if (child < 0)
		return -errno;
	while (kernel_call(SYS_wait4, child, &status, __WALL, NULL) < 0)
		if (errno != EINTR)
			return -errno;
	return status ? -EPERM : 0;
}

void perf_filter_find(void)
{
	int saved = errno;

	if (kernel_call(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == MODE_FILTER) {
		uint64_t mask = signals_block();

		error_found = try_in_child();
		signals_restore(mask);
	}
	errno = saved;
}

int perf_filter_error(void)
{
	return error_found;
}
