/* SPDX-License-Identifier: MIT */
#include "preload/life/thread_record.h"

#include "preload/base/direct.h"
#include "preload/base/kernel_call.h"
#include "preload/life/lifecycle_parts.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

bool thread_record_lives(const struct thread *thread)
{
	return !kernel_call(SYS_tgkill, life.pid, thread->tid, 0);
}

/* Thread-local variables of the initial-exec model lie equally far from each thread's handle. The
 * kernel writes, since the thread's memory may be gone. */
static void clear_variable(pthread_t handle, void *own)
{
	static const uint64_t nothing;
	ptrdiff_t distance = (char *)own - (char *)direct.pthread_self();
	struct iovec from = {(void *)&nothing, sizeof nothing};
	struct iovec to = {(char *)handle + distance, sizeof nothing};

	kernel_call(SYS_process_vm_writev, life.pid, &from, 1L, &to, 1L, 0L);
}

void thread_record_take_away(const struct thread *thread)
{
	if (!thread->handle || thread->is_absent || !thread_record_lives(thread))
		return;
	clear_variable(thread->handle, &thread_self);
	clear_variable(thread->handle, &sync_self);
}
