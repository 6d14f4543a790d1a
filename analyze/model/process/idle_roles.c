/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/idle_roles.h"

#include "analyze/base/memory.h"
#include "analyze/model/threads/thread_time.h"

#include <stdlib.h>
#include <string.h>

static double share_of(const struct thread_time *time)
{
	return time->lifetime_ns ? (double)thread_time_cpu(time) / (double)time->lifetime_ns : 0;
}

static int by_role_and_share(const void *a, const void *b)
{
	const struct thread_time *x = *(struct thread_time *const *)a;
	const struct thread_time *y = *(struct thread_time *const *)b;
	int order = strcmp(x->role, y->role);

	return order ? order : (share_of(x) > share_of(y)) - (share_of(x) < share_of(y));
}

void idle_roles_compare(struct thread_time *threads, size_t thread_count)
{
	struct thread_time **sorted = memory_allocate(thread_count + 1, sizeof *sorted);
	size_t count = 0;

	for (size_t i = 0; i < thread_count; i++)
		if (threads[i].role)
			sorted[count++] = &threads[i];
	qsort(sorted, count, sizeof *sorted, by_role_and_share);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !strcmp(sorted[end]->role, sorted[i]->role);)
			end++;
		double middle = share_of(sorted[i + (end - i - 1) / 2]);

		for (size_t j = i; j < end; j++)
			sorted[j]->role_share = middle;
	}
	free(sorted);
}
