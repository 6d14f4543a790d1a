/* SPDX-License-Identifier: MIT */
#include "preload/base/direct.h"

#include "arch.h"
#include "preload/base/dynamic_table.h"
#include "preload/base/kernel_call.h"
#include "preload/base/pages.h"

#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

/* Of valid clocks: errno stays. */
static int read_clock(clockid_t id, struct timespec *time)
{
	return (int)kernel_call(SYS_clock_gettime, id, time);
}

static long read_processor(unsigned *processor, unsigned *node, void *unused)
{
	return kernel_call(SYS_getcpu, processor, node, unused);
}

struct direct direct = {
	.clock_gettime = read_clock,
	.getcpu = read_processor,
};

static const void *find(const struct dynamic_table *table, const char *name)
{
	uint32_t symbol = dynamic_table_find(table, name, NULL);

	return symbol ? dynamic_table_address(table, symbol) : NULL;
}

static void find_in_vdso(const struct dynamic_table *vdso)
{
	const void *clock = find(vdso, ARCH_VDSO_CLOCK);
	const void *processor = find(vdso, ARCH_VDSO_PROCESSOR);

	if (clock)
		direct.clock_gettime = (__typeof__(direct.clock_gettime))clock;
	if (processor)
		direct.getcpu = (__typeof__(direct.getcpu))processor;
}

static void find_in_libc(const struct dynamic_table *libc)
{
	direct.sigaction = (__typeof__(direct.sigaction))find(libc, "sigaction");
	direct.getauxval = (__typeof__(direct.getauxval))find(libc, "getauxval");
	direct.flockfile = (__typeof__(direct.flockfile))find(libc, "flockfile");
	direct.ftrylockfile = (__typeof__(direct.ftrylockfile))find(libc, "ftrylockfile");
	direct.funlockfile = (__typeof__(direct.funlockfile))find(libc, "funlockfile");
	direct.cleanup_push = (__typeof__(direct.cleanup_push))find(libc, "_pthread_cleanup_push");
	direct.cleanup_pop = (__typeof__(direct.cleanup_pop))find(libc, "_pthread_cleanup_pop");
	direct.libc_start = libc->start;
	direct.libc_end = libc->end;
	if (direct_auxiliary(AT_PAGESZ))
		pages_bytes = direct_auxiliary(AT_PAGESZ);
}

static int look(struct dl_phdr_info *info, size_t unused, void *unused_too)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;
	struct dynamic_table table;

	(void)unused;
	(void)unused_too;
	if (!strncmp(name, "linux-vdso", 10) && dynamic_table_read(info, &table))
		find_in_vdso(&table);
	else if (!strcmp(name, "libc.so.6") && dynamic_table_read(info, &table))
		find_in_libc(&table);
	return 0;
}

__attribute__((constructor(101))) static void start(void)
{
	dl_iterate_phdr(look, NULL);
}
