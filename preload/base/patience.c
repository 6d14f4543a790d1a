/* SPDX-License-Identifier: MIT */
#include "preload/base/patience.h"

#include "preload/base/clock.h"
#include "preload/base/kernel_call.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

enum {
	LOOKS = 100,
	YIELDS = 10,
	NAP_NS = 50000,
};

static void nap(void)
{
	const struct timespec length = {.tv_nsec = NAP_NS};

	kernel_call(SYS_nanosleep, &length, NULL);
}

bool patience_left(struct patience *patience, uint64_t most_ns)
{
	int saved = errno;

	if (patience->looks++ < LOOKS)
		return true;
	if (kernel_is_sealed)
		return false;
	uint64_t now_ns = clock_now_ns();
	if (!patience->until_ns)
		patience->until_ns = now_ns + most_ns;
	if (now_ns >= patience->until_ns)
		return false;
	if (patience->looks < LOOKS + YIELDS)
		kernel_call(SYS_sched_yield);
	else
		nap();
	errno = saved;
	return true;
}
