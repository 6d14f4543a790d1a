/* SPDX-License-Identifier: MIT */
#include "preload/samples/ended_calls.h"

#include <sys/syscall.h>

#ifndef SYS_futex_waitv /* Linux 5.16 */
#define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait /* Linux 6.7 */
#define SYS_futex_wait 455
#endif

/* pread, pwrite and their vectors without flags read and write what has a place: mostly files,
 * where no signal ends them. With flags they stand for readv and writev, too. */
bool ended_calls_have(long number)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_preadv2:
	case SYS_write:
	case SYS_writev:
	case SYS_pwritev2:
	case SYS_sendfile:
	case SYS_splice:
	case SYS_tee:
	case SYS_vmsplice:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_accept:
	case SYS_accept4:
	case SYS_connect:
	case SYS_wait4:
	case SYS_waitid:
	case SYS_futex:
	case SYS_futex_waitv:
	case SYS_futex_wait:
	case SYS_flock:
	case SYS_fcntl:
	case SYS_ioctl:
	case SYS_openat:
	case SYS_openat2:
#ifdef SYS_open
	case SYS_open:
	case SYS_creat:
#endif
	case SYS_mq_timedreceive:
	case SYS_mq_timedsend:
	case SYS_getrandom:
	case SYS_request_key:
		return true;
	default:
		return false;
	}
}
