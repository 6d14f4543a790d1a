/* SPDX-License-Identifier: MIT */
/* libsizes.so, preloaded: at the end of each process that has SIZES_FILE in its environment, the
 * kernel's figures of its memory are in SIZES_FILE.PID, as in /proc/PID/status. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((destructor)) static void tell(void)
{
	char path[500], text[4096];
	const char *place = getenv("SIZES_FILE");
	int status = place ? open("/proc/self/status", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t bytes = status < 0 ? 0 : read(status, text, sizeof text);

	if (status >= 0)
		close(status);
	snprintf(path, sizeof path, "%s.%d", place ? place : "", getpid());
	int file = bytes > 0 ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	if (file < 0)
		return;
	if (write(file, text, (size_t)bytes) != bytes)
		unlink(path);
	close(file);
}
