/* SPDX-License-Identifier: MIT */
/* Names that would break a careless exporter: a lock whose symbol has a semicolon and blanks, a
 * template with commas and angle brackets, a routine in UTF-8, threads whose names have semicolons,
 * a newline, quotes, backslashes, and bytes that are no UTF-8. Truth: the CPU time of each of the
 * two routines. */
#include "truth.h"
#include <utility>

pthread_mutex_t lock __asm__("\"lock;of all\"") = PTHREAD_MUTEX_INITIALIZER;

template <typename First, typename Second> NOINLINE void work(std::pair<First, Second> seconds)
{
	BURN(seconds.first);
}

static NOINLINE void größe(double seconds)
{
	pthread_mutex_lock(&lock);
	BURN(seconds);
	pthread_mutex_unlock(&lock);
}

static void *thread_main(void *name)
{
	pthread_setname_np(pthread_self(), (const char *)name);
	größe(0.05);
	work(std::pair<double, const char *>(0.05, ""));
	return NULL;
}

int main(void)
{
	static const char *const names[] = {"a;b \"q\"", "two\nlines\\", "\xff\xfe,\t'x'"};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread_main, (void *)names[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	truth("each", 0.05 * 3);
	truth_end();
	return 0;
}
