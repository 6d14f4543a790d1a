/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "remote_memory.h"

#include <errno.h>
#include <sys/uio.h>

static int result_of(ssize_t done, size_t size)
{
	if (done < 0)
		return -errno;
	return done == (ssize_t)size ? 0 : -EIO;
}

int memory_read(pid_t process, uint64_t address, void *bytes, size_t size)
{
	struct iovec own = {bytes, size}, other = {(void *)(uintptr_t)address, size};

	return result_of(process_vm_readv(process, &own, 1, &other, 1, 0), size);
}

int memory_write(pid_t process, uint64_t address, const void *bytes, size_t size)
{
	struct iovec own = {(void *)bytes, size}, other = {(void *)(uintptr_t)address, size};

	return result_of(process_vm_writev(process, &own, 1, &other, 1, 0), size);
}
