/* SPDX-License-Identifier: MIT */
/* Burns CPU time in code that it writes itself, and lists that code for perf(1) under the name that
 * is its argument; prints its process number. Without an argument it lists nothing. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Counts down from some hundred millions. */
#ifdef __x86_64__
static const uint8_t code[] = {
	0xb9, 0x00, 0x00, 0x00, 0x10, /* mov $0x10000000, %ecx */
	0xff, 0xc9,                   /* dec %ecx */
	0x75, 0xfc,                   /* jnz back */
	0xc3,                         /* ret */
};
#else
static const uint32_t code[] = {
	0x52a20000, /* movz w0, #0x1000, lsl #16 */
	0x71000400, /* subs w0, w0, #1 */
	0x54ffffe1, /* b.ne back */
	0xd65f03c0, /* ret */
};
#endif

static void list(const void *start, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	FILE *file = fopen(path, "w");

	if (!file)
		return;
	fprintf(file, "%lx 1000 former\n%lx %zx %s\n", (long)start, (long)start, sizeof code, name);
	fprintf(file, "0 0 nothing\nno line\n%lx 1000 not yet whol", (long)start);
	fclose(file);
}

int main(int count, char **words)
{
	void *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*burn)(void);

	memcpy(place, code, sizeof code);
	mprotect(place, 4096, PROT_READ | PROT_EXEC);
	__builtin___clear_cache((char *)place, (char *)place + sizeof code);
	memcpy(&burn, &place, sizeof burn);
	if (count > 1)
		list(place, words[1]);
	burn();
	printf("%d\n", (int)getpid());
	return 0;
}
