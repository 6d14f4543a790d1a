/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_holder.h"

#include "preload/file/vocabulary.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/uio.h>

/* glibc's own names: the layout is part of its ABI, and the same since 2.30. */
static size_t offset_of_holder(uint64_t kind)
{
	return kind == OBJECT_MUTEX ? offsetof(pthread_mutex_t, __data.__owner)
				    : offsetof(pthread_rwlock_t, __data.__cur_writer);
}

struct live_holder live_holder_read(uint64_t pid, uint64_t kind, uint64_t address)
{
	struct live_holder holder = {LIVE_HOLDER_NONE, 0};

	if ((kind != OBJECT_MUTEX && kind != OBJECT_RWLOCK) || !address)
		return holder;
	struct iovec here = {&holder.tid, sizeof holder.tid};
	struct iovec there = {(void *)(uintptr_t)(address + offset_of_holder(kind)),
			      sizeof holder.tid};

	if (process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof holder.tid)
		holder.state = LIVE_HOLDER_REFUSED;
	else if (holder.tid)
		holder.state = LIVE_HOLDER_KNOWN;
	return holder;
}
