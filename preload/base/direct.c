/* SPDX-License-Identifier: MIT */
#include "preload/base/direct.h"

#include "arch.h"
#include "preload/base/dynamic_table.h"
#include "preload/base/kernel_call.h"
#include "preload/base/pages.h"

#include <elf.h>
#include <link.h>
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

static struct dynamic_table libc;

void *direct_of_libc(const char *name, const char *version)
{
	uint32_t symbol = dynamic_table_find(&libc, name, version);

	return symbol ? (void *)dynamic_table_address(&libc, symbol) : NULL;
}

static void find_in_libc(void)
{
#define DIRECT(symbol) direct.symbol = (__typeof__(direct.symbol))direct_of_libc(#symbol, NULL);
#include "preload/base/direct.def"
#undef DIRECT
	direct.cleanup_push =
		(__typeof__(direct.cleanup_push))direct_of_libc("_pthread_cleanup_push", NULL);
	direct.cleanup_pop =
		(__typeof__(direct.cleanup_pop))direct_of_libc("_pthread_cleanup_pop", NULL);
	direct.libc_start = libc.start;
	direct.libc_end = libc.end;
	if (direct_auxiliary(AT_PAGESZ))
		pages_bytes = direct_auxiliary(AT_PAGESZ);
}

/* Libc and the vDSO begin with their headers, and are linked for address 0. */
static bool read_table(const struct link_map *object, struct dynamic_table *table)
{
	const ElfW(Ehdr) *header = (const void *)object->l_addr;

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	struct dl_phdr_info info = {
		.dlpi_addr = object->l_addr,
		.dlpi_phdr = (const void *)(object->l_addr + header->e_phoff),
		.dlpi_phnum = header->e_phnum,
	};
	return dynamic_table_read(&info, table);
}

static void look(const struct link_map *object)
{
	const char *slash = strrchr(object->l_name, '/');
	const char *name = slash ? slash + 1 : object->l_name;
	struct dynamic_table vdso;

	if (!strncmp(name, "linux-vdso", 10) && read_table(object, &vdso))
		find_in_vdso(&vdso);
	else if (!strcmp(name, "libc.so.6") && read_table(object, &libc))
		find_in_libc();
}

/* The loader's list for debuggers: its name is none that programs may define, and reading it takes
 * no lock. Weak, so that the loader need not be named among the libraries that this one needs. */
extern struct r_debug _r_debug __attribute__((weak));

/* At the start of the program, while there is one thread; or within dlopen, which keeps others from
 * changing the list. */
void direct_find(void)
{
	const struct link_map *object = &_r_debug ? _r_debug.r_map : NULL;

	for (; object; object = object->l_next)
		look(object);
}

__attribute__((constructor(101))) static void start(void)
{
	direct_find();
}
