/* SPDX-License-Identifier: MIT */
/* harm_small_stack given|asked: a thread computes while it uses all but 3 KiB of the smallest stack
 * there is: one of the program's own, or one that libc makes. */
#include "truth.h"
#include <limits.h>
#include <sys/mman.h>

enum { PAGE = 4096, LEFT = 3072 };

static NOINLINE void compute(void)
{
	BURN(0.1);
	KEEP;
}

/* What the program asked for, wherever libc has put the stack's beginning. */
static void *use_all(void *unused)
{
	pthread_attr_t attributes;
	void *low;
	size_t bytes;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &bytes);
	pthread_attr_destroy(&attributes);
	size_t used = (size_t)((char *)low + bytes - (char *)__builtin_frame_address(0));
	volatile char *room = __builtin_alloca((size_t)PTHREAD_STACK_MIN - used - LEFT);
	room[0] = 1;
	compute();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;
	size_t bytes = (size_t)PTHREAD_STACK_MIN;
	pthread_attr_t attributes;
	char *area = mmap(NULL, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(area + PAGE, bytes, PROT_READ | PROT_WRITE);
	pthread_attr_init(&attributes);
	if (argc > 1 && !strcmp(argv[1], "given"))
		pthread_attr_setstack(&attributes, area + PAGE, bytes);
	else
		pthread_attr_setstacksize(&attributes, bytes);
	if (pthread_create(&t, &attributes, use_all, NULL))
		return 1;
	pthread_join(t, NULL);
	pthread_attr_getstacksize(&attributes, &bytes);
	printf("asked for %s\n", bytes == (size_t)PTHREAD_STACK_MIN ? "the least" : "more");
	return 0;
}
