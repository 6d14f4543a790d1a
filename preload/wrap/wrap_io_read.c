/* SPDX-License-Identifier: MIT */
/* Reading from descriptors, with the checking names that _FORTIFY_SOURCE calls. */
#include "preload/base/kernel_call.h"
#include "preload/io/io_wrapper.h"

#include <sys/syscall.h>
#include <sys/uio.h>

/* READING(name, parameters, arguments, operation) */
#define READING(name, parameters, arguments, operation)                                            \
	IO_CALL(ssize_t, name, parameters, arguments, number, CAUSE_READ, operation, result)

IO_EARLY(ssize_t, read, (int number, void *to, size_t size), (number, to, size),
	 (SYS_read, number, to, size), number, CAUSE_READ, OP_READ)
IO_EARLY(ssize_t, pread, (int number, void *to, size_t size, off_t at), (number, to, size, at),
	 (SYS_pread64, number, to, size, at), number, CAUSE_READ, OP_PREAD)
IO_EARLY(ssize_t, pread64, (int number, void *to, size_t size, off64_t at), (number, to, size, at),
	 (SYS_pread64, number, to, size, at), number, CAUSE_READ, OP_PREAD)

READING(__read_chk, (int number, void *to, size_t size, size_t room), (number, to, size, room),
	OP_READ)
READING(__pread_chk, (int number, void *to, size_t size, off_t at, size_t room),
	(number, to, size, at, room), OP_PREAD)
READING(__pread64_chk, (int number, void *to, size_t size, off64_t at, size_t room),
	(number, to, size, at, room), OP_PREAD)
READING(readv, (int number, const struct iovec *parts, int count), (number, parts, count), OP_READV)
READING(preadv, (int number, const struct iovec *parts, int count, off_t at),
	(number, parts, count, at), OP_PREADV)
READING(preadv64, (int number, const struct iovec *parts, int count, off64_t at),
	(number, parts, count, at), OP_PREADV)
READING(preadv2, (int number, const struct iovec *parts, int count, off_t at, int flags),
	(number, parts, count, at, flags), OP_PREADV)
READING(preadv64v2, (int number, const struct iovec *parts, int count, off64_t at, int flags),
	(number, parts, count, at, flags), OP_PREADV)

ALIAS(__read, read)
ALIAS(__pread64, pread64)
