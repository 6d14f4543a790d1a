/* SPDX-License-Identifier: MIT */
#include "preload/base/pages.h"

#include "arch.h"

uint64_t pages_bytes = ARCH_PAGE_MOST;

/* Atomic; set once, by a thread of the program, and read by all. */
static struct {
	bool are_unlocked;
} pages;

void *pages_map(void *place, size_t bytes, int protection, int flags, int fd, off_t offset,
		int *error)
{
	int saved = errno;
	long got = kernel_call(SYS_mmap, place, bytes, protection, flags, fd, offset);

	if (error)
		*error = got == -1 ? errno : 0;
	errno = saved;
	if (got == -1)
		return NULL;
	if (unlikely(__atomic_load_n(&pages.are_unlocked, __ATOMIC_RELAXED)))
		pages_unlock((void *)got, bytes);
	return (void *)got;
}

void *pages_new(size_t bytes)
{
	return pages_map(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0, NULL);
}

void pages_unlock(void *place, size_t bytes)
{
	int saved = errno;

	kernel_call(SYS_munlock, place, bytes);
	errno = saved;
}

void pages_keep_unlocked(void)
{
	__atomic_store_n(&pages.are_unlocked, true, __ATOMIC_RELAXED);
}
