/* SPDX-License-Identifier: MIT */
/* A library, to be preloaded beside the profiler, that has names of libc's and takes a lock in each
 * of them, as libfaketime does. It says how often each was called, and by its own end it is gone:
 * a call after that ends the process with status 97. The lock is one that the profiler wraps. */
#include "truth.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_gone;

enum {
#define CALL(type, name, parameters, arguments) COUNT_##name,
#include "lockcalls.def"
	COUNTS
};

static unsigned long counts[COUNTS];

static void enter(int which)
{
	if (is_gone)
		_exit(97);
	pthread_mutex_lock(&lock);
	counts[which]++;
}

#define CALL(type, name, parameters, arguments)                                                    \
	type name parameters                                                                       \
	{                                                                                          \
		static type(*next) parameters;                                                     \
		if (!next)                                                                         \
			*(void **)&next = dlsym(RTLD_NEXT, #name);                                 \
		enter(COUNT_##name);                                                               \
		type result = next arguments;                                                      \
		pthread_mutex_unlock(&lock);                                                       \
		return result;                                                                     \
	}
#include "lockcalls.def"

__attribute__((destructor)) static void say(void)
{
	static const char *const names[] = {
#define CALL(type, name, parameters, arguments) #name,
#include "lockcalls.def"
	};
	char text[80];

	is_gone = 1;
	for (int i = 0; i < COUNTS; i++) {
		int length = snprintf(text, sizeof text, "%s %lu\n", names[i], counts[i]);
		if (syscall(SYS_write, 1, text, length) != length)
			_exit(98);
	}
}
