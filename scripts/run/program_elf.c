/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program_elf.h"

#include "sanitizer.h"

#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Our own ELF header, which the linker provides: the preloaded library has the same class and
 * machine. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const struct {
	int number;
	const char *name;
} machines[] = {
	{EM_386, "i386"},    {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"},   {EM_AARCH64, "AArch64"},
	{EM_PPC64, "POWER"}, {EM_RISCV, "RISC-V"},  {EM_S390, "s390"}, {EM_MIPS, "MIPS"},
};

static const char *machine_name(int number)
{
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].number == number)
			return machines[i].name;
	return "another machine";
}

static void judge_header(const GElf_Ehdr *header, char *obstacle, size_t size)
{
	if (header->e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
		snprintf(obstacle, size,
			 "is a %s-bit program, and the profiler is not: build it for %d bits",
			 header->e_ident[EI_CLASS] == ELFCLASS32 ? "32" : "64", __ELF_NATIVE_CLASS);
	else if (header->e_machine != __ehdr_start.e_machine)
		snprintf(obstacle, size,
			 "is built for %s, and the profiler for %s: build it for this machine",
			 machine_name(header->e_machine), machine_name(__ehdr_start.e_machine));
}

static bool find_header(Elf *elf, GElf_Word type, GElf_Phdr *found)
{
	size_t count = 0;

	if (elf_getphdrnum(elf, &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, found) && found->p_type == type)
			return true;
	return false;
}

/* The file offset of an address in memory, 0 if no segment contains it. */
static GElf_Off offset_of(Elf *elf, GElf_Addr address)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count) < 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    address - header.p_vaddr < header.p_filesz)
			return header.p_offset + (address - header.p_vaddr);
	return 0;
}

static GElf_Xword find_entry(Elf_Data *dynamic, GElf_Sxword tag)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == tag)
			return entry.d_un.d_val;
	return 0;
}

static void find_sanitizer(Elf *elf, Elf_Data *dynamic, struct elf_facts *facts)
{
	size_t size = find_entry(dynamic, DT_STRSZ);
	GElf_Off offset = offset_of(elf, find_entry(dynamic, DT_STRTAB));
	Elf_Data *strings =
		offset ? elf_getdata_rawchunk(elf, (int64_t)offset, size, ELF_T_BYTE) : NULL;
	if (!strings || !size || ((char *)strings->d_buf)[size - 1])
		return;

	GElf_Dyn entry;
	for (int i = 0; gelf_getdyn(dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *name = (char *)strings->d_buf + entry.d_un.d_val;

		if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < size &&
		    sanitizer_is_runtime(name)) {
			snprintf(facts->sanitizer, sizeof facts->sanitizer, "%s", name);
			return;
		}
	}
}

/* musl's dynamic linker refuses a library that was linked with glibc, and then the program as
 * well. */
static bool is_of_musl(Elf *elf, const GElf_Phdr *interpreter)
{
	Elf_Data *path = elf_getdata_rawchunk(elf, (int64_t)interpreter->p_offset,
					      interpreter->p_filesz, ELF_T_BYTE);

	return path && path->d_size &&
	       memmem(path->d_buf, path->d_size, "/ld-musl-", strlen("/ld-musl-"));
}

static void judge_segments(Elf *elf, struct elf_facts *facts)
{
	GElf_Phdr header;
	bool has_dynamic = find_header(elf, PT_DYNAMIC, &header);
	Elf_Data *dynamic = has_dynamic ? elf_getdata_rawchunk(elf, (int64_t)header.p_offset,
							       header.p_filesz, ELF_T_DYN)
					: NULL;

	if (dynamic)
		find_sanitizer(elf, dynamic, facts);
	/* The dynamic linker itself, called as a command, has no interpreter either, but a name by
	 * which others need it. */
	bool is_linker = dynamic && find_entry(dynamic, DT_SONAME);
	bool has_interpreter = find_header(elf, PT_INTERP, &header);
	if (!is_linker && !has_interpreter)
		snprintf(facts->obstacle, sizeof facts->obstacle,
			 "is %s, so nothing can be preloaded into it: link it dynamically",
			 has_dynamic ? "a static-pie program" : "statically linked");
	else if (has_interpreter && is_of_musl(elf, &header))
		snprintf(facts->obstacle, sizeof facts->obstacle,
			 "is built for musl libc, and the profiler for glibc: build it with glibc");
}

bool elf_facts_read(int file, struct elf_facts *facts)
{
	GElf_Ehdr header;

	*facts = (struct elf_facts){0};
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
	bool is_known = elf && gelf_getehdr(elf, &header);

	if (is_known)
		judge_header(&header, facts->obstacle, sizeof facts->obstacle);
	if (is_known && !facts->obstacle[0])
		judge_segments(elf, facts);
	elf_end(elf);
	return is_known;
}
