/* SPDX-License-Identifier: MIT */
/* Waits with a mask for their time, made by libc's syscall(): as libc's own (wrap_signal,
 * wrap_io_events) they are made again if a sample has ended them in a signal's stead (cut_call.h).
 * They are not measured. */
#include "preload/process/real.h"
#include "preload/samples/cut_call.h"

#include <sys/syscall.h>

/* The sixth argument of pselect6 and io_pgetevents. */
struct mask_and_bytes {
	const sigset_t *mask;
	size_t bytes;
};

/* After the kernel has read it: it is valid. */
static const sigset_t *mask_of(long number, const long *word)
{
	const struct mask_and_bytes *pair = (const void *)word[5]; // NOLINT: an address by contract

	switch (number) {
	case SYS_rt_sigsuspend:
		return (const void *)word[0]; // NOLINT: as above
	case SYS_ppoll:
		return (const void *)word[3]; // NOLINT: as above
	case SYS_pselect6:
	case SYS_io_pgetevents:
		return pair ? pair->mask : NULL;
	default:
		return (const void *)word[4]; // NOLINT: as above
	}
}

/* From syscall_door_ARCH.c, in the place of libc's syscall; number: one of the above, or that of
 * epoll_pwait or epoll_pwait2. */
long wrap_masked(long number, long first, long second, long third, long fourth, long fifth,
		 long sixth);
long wrap_masked(long number, long first, long second, long third, long fourth, long fifth,
		 long sixth)
{
	const long word[] = {first, second, third, fourth, fifth, sixth};
	long result;

	real_need();
	CUT_CALL_MADE_AGAIN(result,
			    real.syscall(number, first, second, third, fourth, fifth, sixth),
			    mask_of(number, word));
	return result;
}
