/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/io_direction.h"

#include "preload/file/vocabulary.h"

/* Futexes, pause and sigsuspend are not listed: they are synchronization, as locks and sigwait. */
static const enum io_direction directions[OP_COUNT] = {
	[OP_READ] = IO_READ,
	[OP_PREAD] = IO_READ,
	[OP_READV] = IO_READ,
	[OP_PREADV] = IO_READ,
	[OP_RECV] = IO_READ,
	[OP_RECVFROM] = IO_READ,
	[OP_RECVMSG] = IO_READ,
	[OP_RECVMMSG] = IO_READ,
	[OP_MSGRCV] = IO_READ,
	[OP_MQ_RECEIVE] = IO_READ,
	[OP_MQ_TIMEDRECEIVE] = IO_READ,
	[OP_FREAD] = IO_READ,
	[OP_GETLINE] = IO_READ,
	[OP_GETC] = IO_READ,
	[OP_WRITE] = IO_WRITTEN,
	[OP_PWRITE] = IO_WRITTEN,
	[OP_WRITEV] = IO_WRITTEN,
	[OP_PWRITEV] = IO_WRITTEN,
	[OP_SEND] = IO_WRITTEN,
	[OP_SENDTO] = IO_WRITTEN,
	[OP_SENDMSG] = IO_WRITTEN,
	[OP_SENDMMSG] = IO_WRITTEN,
	[OP_VMSPLICE] = IO_WRITTEN,
	[OP_MSGSND] = IO_WRITTEN,
	[OP_MQ_SEND] = IO_WRITTEN,
	[OP_MQ_TIMEDSEND] = IO_WRITTEN,
	[OP_FWRITE] = IO_WRITTEN,
	[OP_PRINTF] = IO_WRITTEN,
	[OP_FFLUSH] = IO_WRITTEN,
	[OP_SENDFILE] = IO_MOVED,
	[OP_SPLICE] = IO_MOVED,
	[OP_TEE] = IO_MOVED,
	[OP_COPY_FILE_RANGE] = IO_MOVED,
	[OP_POLL] = IO_WITHOUT,
	[OP_SELECT] = IO_WITHOUT,
	[OP_EPOLL_WAIT] = IO_WITHOUT,
	[OP_URING_ENTER] = IO_WITHOUT,
	[OP_ACCEPT] = IO_WITHOUT,
	[OP_CONNECT] = IO_WITHOUT,
	[OP_OPEN] = IO_WITHOUT,
	[OP_FSYNC] = IO_WITHOUT,
	[OP_FDATASYNC] = IO_WITHOUT,
	[OP_MSYNC] = IO_WITHOUT,
	[OP_SYNC] = IO_WITHOUT,
	[OP_SYNCFS] = IO_WITHOUT,
	[OP_SYNC_FILE_RANGE] = IO_WITHOUT,
	[OP_FLOCK] = IO_WITHOUT,
	[OP_LOCKF] = IO_WITHOUT,
	[OP_FCNTL_LOCK] = IO_WITHOUT,
	[OP_SEMOP] = IO_WITHOUT,
	[OP_SEMTIMEDOP] = IO_WITHOUT,
};

enum io_direction io_direction_of(uint64_t operation)
{
	return operation < OP_COUNT ? directions[operation] : IO_NOT_IO;
}

bool io_is_io(uint64_t operation)
{
	return io_direction_of(operation) != IO_NOT_IO;
}
