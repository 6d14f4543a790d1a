/* SPDX-License-Identifier: MIT */
/* Threads whose names are markup, controls, no UTF-8, or read backwards; each works a little, so
 * that reports show it. Truth: the names that are text, by number. */
#include "truth.h"
#include <pthread.h>

static const char *const names[] = {
	"<script>x()",
	"</script><b>",
	"</style>\"'&amp;",
	"<img src=x>",
	"\xff\xfe\x01\x1b[31m",
	"\xe2\x80\xae"
	"exe.txt",
	"a\tb",
};

enum { NAMES = sizeof names / sizeof *names };

static void *work(void *name)
{
	pthread_setname_np(pthread_self(), name);
	BURN(0.02);
	return NULL;
}

int main(void)
{
	pthread_t threads[NAMES];

	for (int i = 0; i < NAMES; i++)
		pthread_create(&threads[i], NULL, work, (void *)names[i]);
	for (int i = 0; i < NAMES; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
