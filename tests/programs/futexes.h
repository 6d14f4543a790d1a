/* SPDX-License-Identifier: MIT */
/* What the programs that use futexes share. */
#pragma once
#include "truth.h"

/* A macro, so that a place is the routine that uses it. */
#define futex(word, operation, value, fourth, second, third)                                       \
	syscall(SYS_futex, (word), (operation), (value), (fourth), (second), (third))

/* What a call returned, and errno, which a call that succeeds leaves as it was. Lines of several
 * threads come in any order; the cases sort them. */
static inline void tell(const char *call, long result)
{
	int error = errno;

	printf("%s: %ld, errno %d\n", call, result, error);
	errno = 77;
}

struct futex_kind {
	const char *name;
	void (*run)(int count);
};

/* The last row of kinds is empty. */
static inline int futex_kinds_run(const struct futex_kind *kinds, int count, char **arguments)
{
	const char *wanted = count > 1 ? arguments[1] : "";

	errno = 77;
	while (kinds->name && strcmp(kinds->name, wanted))
		kinds++;
	if (!kinds->name)
		return 2;
	kinds->run(count > 2 ? atoi(arguments[2]) : 1);
	fflush(stdout);
	truth_end();
	return 0;
}
