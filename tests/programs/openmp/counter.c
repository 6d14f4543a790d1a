/* SPDX-License-Identifier: MIT */
/* A library for LD_PRELOAD that only counts calls of libgomp: what programs that cannot be asked,
 * as they are shipped, are compared with. At the end it writes {"name": calls} to the file that
 * COUNTER_FILE names. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long word;

/* COUNTED(name): a call with up to 8 words of arguments, whose result is a word or none. */
#define COUNTED_LIST(COUNTED)                                                                      \
	COUNTED(GOMP_parallel)                                                                     \
	COUNTED(GOMP_parallel_sections)                                                            \
	COUNTED(GOMP_parallel_loop_dynamic)                                                        \
	COUNTED(GOMP_parallel_loop_guided)                                                         \
	COUNTED(GOMP_parallel_loop_runtime)                                                        \
	COUNTED(GOMP_parallel_loop_nonmonotonic_dynamic)                                           \
	COUNTED(GOMP_parallel_loop_nonmonotonic_guided)                                            \
	COUNTED(GOMP_parallel_loop_nonmonotonic_runtime)                                           \
	COUNTED(GOMP_parallel_loop_maybe_nonmonotonic_runtime)                                     \
	COUNTED(GOMP_parallel_reductions)                                                          \
	COUNTED(GOMP_barrier)                                                                      \
	COUNTED(GOMP_critical_start)                                                               \
	COUNTED(GOMP_critical_name_start)                                                          \
	COUNTED(GOMP_single_start)                                                                 \
	COUNTED(GOMP_sections_end)                                                                 \
	COUNTED(GOMP_loop_end)                                                                     \
	COUNTED(omp_set_lock)                                                                      \
	COUNTED(omp_test_lock)

#define DEFINE(name)                                                                               \
	static word calls_of_##name;                                                               \
	word name(word a, word b, word c, word d, word e, word f, word g, word h);                 \
	word name(word a, word b, word c, word d, word e, word f, word g, word h)                  \
	{                                                                                          \
		static word (*next)(word, word, word, word, word, word, word, word);               \
		if (!next)                                                                         \
			*(void **)&next = dlsym(RTLD_NEXT, #name);                                 \
		__atomic_add_fetch(&calls_of_##name, 1, __ATOMIC_RELAXED);                         \
		return next(a, b, c, d, e, f, g, h);                                               \
	}
COUNTED_LIST(DEFINE)

static __attribute__((destructor)) void tell(void)
{
	const char *path = getenv("COUNTER_FILE");
	word all = 0;
#define ADD(name) all += calls_of_##name;
	COUNTED_LIST(ADD)
	FILE *file = path && all ? fopen(path, "w") : NULL; /* not by the program's children */

	if (!file)
		return;
	fputs("{", file);
#define TELL(name) fprintf(file, "\"%s\": %lu, ", #name, calls_of_##name);
	COUNTED_LIST(TELL)
	fputs("\"end\": 0}\n", file);
	fclose(file);
}
