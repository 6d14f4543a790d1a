/* SPDX-License-Identifier: MIT */
/* A library with locks of its own under the names of C11, which serve threads in the order of
 * arrival. Their data is in the mtx_t, and differs from libc's. At the end it prints how many it
 * has served. */
#include <stdio.h>
#include <threads.h>
#include <unistd.h>

struct tickets {
	unsigned next, serving; /* atomic */
};

static unsigned taken, given_back; /* atomic */

int mtx_lock(mtx_t *mutex)
{
	struct tickets *tickets = (struct tickets *)mutex;
	unsigned mine = __atomic_fetch_add(&tickets->next, 1, __ATOMIC_ACQ_REL);

	while (__atomic_load_n(&tickets->serving, __ATOMIC_ACQUIRE) != mine)
		thrd_yield();
	__atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED);
	return thrd_success;
}

int mtx_unlock(mtx_t *mutex)
{
	__atomic_add_fetch(&given_back, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&((struct tickets *)mutex)->serving, 1, __ATOMIC_ACQ_REL);
	return thrd_success;
}

__attribute__((destructor)) static void say(void)
{
	char text[64];
	int length = snprintf(text, sizeof text, "tickets: %u, %u\n", taken, given_back);

	if (write(1, text, (size_t)length) < 0)
		_exit(9);
}
