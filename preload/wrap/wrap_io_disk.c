/* SPDX-License-Identifier: MIT */
/* Waiting for the disk, and for locks of files. (fcntl is in wrap_close.c.) */
#include "preload/io/io_wrapper.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

/* SYNCING(name, parameters, arguments, number, operation) */
#define SYNCING(name, parameters, arguments, number, operation)                                    \
	IO_CALL(int, name, parameters, arguments, number, CAUSE_DISK, operation, 0)

SYNCING(fsync, (int number), (number), number, OP_FSYNC)
SYNCING(fdatasync, (int number), (number), number, OP_FDATASYNC)
SYNCING(syncfs, (int number), (number), number, OP_SYNCFS)
SYNCING(sync_file_range, (int number, off64_t at, off64_t size, unsigned flags),
	(number, at, size, flags), number, OP_SYNC_FILE_RANGE)
SYNCING(msync, (void *at, size_t size, int flags), (at, size, flags), -1, OP_MSYNC)

EXPORTED void sync(void)
{
	struct io_call call;

	real_need();
	bool is_seen = io_call_begin(&call, -1, CAUSE_DISK, OP_SYNC, SITE_HERE);
	real.sync();
	if (is_seen)
		io_call_end(&call, 0, 0);
}

IO_CALL(int, flock, (int number, int operation), (number, operation), number,
	operation &(LOCK_NB | LOCK_UN) ? CAUSE_OTHER : CAUSE_FILE_LOCK, OP_FLOCK, 0)
IO_CALL(int, lockf, (int number, int command, off_t size), (number, command, size), number,
	command == F_LOCK ? CAUSE_FILE_LOCK : CAUSE_OTHER, OP_LOCKF, 0)
IO_CALL(int, lockf64, (int number, int command, off64_t size), (number, command, size), number,
	command == F_LOCK ? CAUSE_FILE_LOCK : CAUSE_OTHER, OP_LOCKF, 0)
