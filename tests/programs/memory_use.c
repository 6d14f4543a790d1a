/* SPDX-License-Identifier: MIT */
/* Resident memory of known size, and input and output of known bytes.
 *
 *   memory_use BYTES          touches so many bytes of memory, and gives them back
 *   memory_use exec BYTES     the same, and then goes on as the image `memory_use 0`
 *   memory_use kill BYTES     the same, uses CPU time, and is killed
 *
 * Each image reads 700000 bytes and writes 300000. Truth: VmHWM of the last one at its end. */
#include "truth.h"

#include <signal.h>
#include <sys/mman.h>

enum { READ_BYTES = 700000, PIECE = 1000, WRITTEN_BYTES = 300000 };

static void touch(size_t bytes)
{
	char *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	for (size_t i = 0; i < bytes; i += 4096)
		memory[i] = 1;
	munmap(memory, bytes ? bytes : 1);
}

static void transfer(void)
{
	static char piece[PIECE];
	int from = open("/dev/zero", O_RDONLY), to = open("/dev/null", O_WRONLY);

	for (int i = 0; i < READ_BYTES; i += PIECE)
		if (read(from, piece, PIECE) != PIECE)
			abort();
	for (int i = 0; i < WRITTEN_BYTES; i += PIECE)
		if (write(to, piece, PIECE) != PIECE)
			abort();
	close(from);
	close(to);
}

/* By calls that no wrapper sees. */
static long peak_kib(void)
{
	char text[4096] = "";
	long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY);

	syscall(SYS_read, file, text, sizeof text - 1);
	syscall(SYS_close, file);
	const char *at = strstr(text, "VmHWM:");

	return at ? atol(at + strlen("VmHWM:")) : 0;
}

int main(int count, char **words)
{
	const char *what = count > 2 ? words[1] : "";

	touch(strtoul(words[count - 1], NULL, 10));
	transfer();
	if (!strcmp(what, "exec"))
		execl("/proc/self/exe", words[0], "0", NULL);
	if (!strcmp(what, "kill")) {
		BURN(0.7);
		kill(getpid(), SIGKILL);
	}
	truth("peak_kib", (double)peak_kib());
	truth_end();
	return 0;
}
