/* SPDX-License-Identifier: MIT */
/* Writing to descriptors, and moving data from one to another. What waits for two descriptors is
 * named by the one for which it mostly has to. */
#include "preload/base/kernel_call.h"
#include "preload/io/io_wrapper.h"

#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* WRITING(name, parameters, arguments, operation): one of the parameters is `number`. */
#define WRITING(name, parameters, arguments, operation)                                            \
	IO_CALL(ssize_t, name, parameters, arguments, number, CAUSE_WRITE, operation, result)

IO_EARLY(ssize_t, write, (int number, const void *from, size_t size), (number, from, size),
	 (SYS_write, number, from, size), number, CAUSE_WRITE, OP_WRITE)

WRITING(pwrite, (int number, const void *from, size_t size, off_t at), (number, from, size, at),
	OP_PWRITE)
WRITING(pwrite64, (int number, const void *from, size_t size, off64_t at), (number, from, size, at),
	OP_PWRITE)
WRITING(writev, (int number, const struct iovec *parts, int count), (number, parts, count),
	OP_WRITEV)
WRITING(pwritev, (int number, const struct iovec *parts, int count, off_t at),
	(number, parts, count, at), OP_PWRITEV)
WRITING(pwritev64, (int number, const struct iovec *parts, int count, off64_t at),
	(number, parts, count, at), OP_PWRITEV)
WRITING(pwritev2, (int number, const struct iovec *parts, int count, off_t at, int flags),
	(number, parts, count, at, flags), OP_PWRITEV)
WRITING(pwritev64v2, (int number, const struct iovec *parts, int count, off64_t at, int flags),
	(number, parts, count, at, flags), OP_PWRITEV)

WRITING(sendfile, (int number, int from, off_t *at, size_t size), (number, from, at, size),
	OP_SENDFILE)
WRITING(sendfile64, (int number, int from, off64_t *at, size_t size), (number, from, at, size),
	OP_SENDFILE)
WRITING(vmsplice, (int number, const struct iovec *parts, size_t count, unsigned flags),
	(number, parts, count, flags), OP_VMSPLICE)
WRITING(copy_file_range,
	(int from, off64_t *from_at, int number, off64_t *at, size_t size, unsigned flags),
	(from, from_at, number, at, size, flags), OP_COPY_FILE_RANGE)

IO_CALL(ssize_t, splice,
	(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags),
	(from, from_at, to, to_at, size, flags), from, CAUSE_READ, OP_SPLICE, result)
IO_CALL(ssize_t, tee, (int from, int to, size_t size, unsigned flags), (from, to, size, flags),
	from, CAUSE_READ, OP_TEE, result)

ALIAS(__write, write)
ALIAS(__pwrite64, pwrite64)
