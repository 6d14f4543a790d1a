// SPDX-License-Identifier: MIT
// A thread that has a lock of the dynamic linker asks the first thread, and waits for its answer:
// which that gives when it is told to by a line of its input. A second line ends the program.
//   attach_held constructor PLUGIN     in the constructor of libheld_plugin.so
//   attach_held callback               in a callback of dl_iterate_phdr
#include "truth.h"

#include <dlfcn.h>
#include <link.h>
#include <poll.h>

static int asked[2], answered[2];

__attribute__((visibility("default"))) void ask_first_thread(void);

void ask_first_thread(void)
{
	char byte = 'a';

	if (write(asked[1], &byte, 1) < 0 || read(answered[0], &byte, 1) < 0)
		_exit(3);
}

static int see_object(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)object, (void)size, (void)unused;
	ask_first_thread();
	return 1;
}

static void *hold(void *plugin)
{
	if (plugin ? !dlopen(plugin, RTLD_NOW) : !dl_iterate_phdr(see_object, NULL))
		_exit(4);
	return NULL;
}

static void await_line(void)
{
	struct pollfd input = {.fd = 0, .events = POLLIN};
	char line[2];

	if (poll(&input, 1, -1) < 0 || read(0, line, 1) != 1)
		_exit(5);
}

int main(int argc, char **argv)
{
	pthread_t holder;
	char byte;

	if (argc < 2 || pipe(asked) < 0 || pipe(answered) < 0)
		return 2;
	pthread_create(&holder, NULL, hold, argv[2]);
	if (read(asked[0], &byte, 1) != 1)
		return 2;
	puts("ready");
	fflush(stdout);
	await_line();
	if (write(answered[1], &byte, 1) != 1)
		return 2;
	pthread_join(holder, NULL);
	await_line();
	return 7;
}
