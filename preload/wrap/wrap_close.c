/* SPDX-License-Identifier: MIT */
/* Calls that can free the numbers 0, 1 and 2, which the program's next open must get
 * (descriptors.h). Async-signal-safe, a cancellation point, and allowed in a vfork child, as libc's
 * close is. */
#include "preload/base/descriptors.h"
#include "preload/base/likely.h"
#include "preload/process/real.h"

#include <stdio.h>

/* libc's other name of close. Allocators close files while they start, and resolving the originals
 * then would call the allocator. */
extern int __close(int number);

EXPORTED int close(int number)
{
	int result = likely(real.is_ready) ? real.close(number) : __close(number);

	if (unlikely(number <= STDERR_FILENO))
		descriptors_settle();
	return result;
}

EXPORTED int close_range(unsigned first, unsigned last, int flags)
{
	real_need();
	int result = real.close_range(first, last, flags);
	if (first <= STDERR_FILENO)
		descriptors_settle();
	return result;
}

EXPORTED void closefrom(int first)
{
	real_need();
	real.closefrom(first);
	if (first <= STDERR_FILENO)
		descriptors_settle();
}

EXPORTED int fclose(FILE *stream)
{
	bool is_standard = stream == stdin || stream == stdout || stream == stderr;

	real_need();
	int result = real.fclose(stream);
	if (is_standard)
		descriptors_settle();
	return result;
}
