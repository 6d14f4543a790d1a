/* SPDX-License-Identifier: MIT */
#include "preload/process/module_map.h"

#include "preload/base/direct.h"
#include "preload/base/hash.h"
#include "preload/base/likely.h"
#include "preload/base/system.h"
#include "preload/file/rows.h"
#include "preload/process/entry.h"
#include "preload/process/real.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
	PERMANENT_RANGES = 128,
	MODULE_LIMIT = 2048,
	IDENTITY_WORDS = 128, /* of an object's first page, which is always mapped */
};

struct range {
	uint64_t start, end;
};

static struct {
	char program[PATH_MAX];
	char directory[PATH_MAX]; /* working directory at start-up, with a final slash; or "" */
	struct range permanent[PERMANENT_RANGES];
	unsigned permanent_count;
	struct range own;
	uint64_t identities[MODULE_LIMIT]; /* of the rows of modules */
	struct row_array modules;
} map = {
	.modules = {.table = TABLE_modules,
		    .row_bytes = sizeof(struct row_modules),
		    .rows_per_block = 16,
		    .limit = MODULE_LIMIT,
		    .next = 1},
};

bool module_map_find(uint64_t address, struct code_object *object)
{
	struct dl_find_object found;

	if (!real_find_object || real_find_object((void *)address, &found))
		return false;
	object->start = (uint64_t)found.dlfo_map_start;
	object->end = (uint64_t)found.dlfo_map_end;
	object->base = found.dlfo_link_map->l_addr;
	object->name = found.dlfo_link_map->l_name;
	object->eh_frame_header = found.dlfo_eh_frame;
	return true;
}

/* In a program that ran already, it is not known which objects were there from its start and which
 * dlopen brought, which may go again. The program, libc and the loader stay, and so do we. */
static bool is_permanent(const struct dl_phdr_info *info, struct range range)
{
	const uint64_t known[] = {(uint64_t)&map, (uint64_t)real.pthread_mutex_lock,
				  (uint64_t)real_find_object};

	if (!entry_is_late || !info->dlpi_name[0])
		return true;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i] - range.start < range.end - range.start)
			return true;
	return false;
}

static int remember_range(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct range range = {UINT64_MAX, 0};

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD)
			continue;
		if (start < range.start)
			range.start = start;
		if (start + header->p_memsz > range.end)
			range.end = start + header->p_memsz;
	}
	if (map.permanent_count < PERMANENT_RANGES && range.end && is_permanent(info, range))
		map.permanent[map.permanent_count++] = range;
	if ((uint64_t)&map >= range.start && (uint64_t)&map < range.end)
		map.own = range;
	return 0;
}

static void remember_directory(void)
{
	if (!system_working_directory(map.directory, sizeof map.directory - 1))
		map.directory[0] = '\0';
	else if (map.directory[1])
		strcat(map.directory, "/");
}

void module_map_start(void)
{
	system_read_link("/proc/self/exe", map.program, sizeof map.program);
	remember_directory();
	direct.dl_iterate_phdr(remember_range, NULL);
}

bool module_map_is_permanent(uint64_t address)
{
	for (unsigned i = 0; i < map.permanent_count; i++)
		if (address - map.permanent[i].start <
		    map.permanent[i].end - map.permanent[i].start)
			return true;
	return false;
}

bool module_map_is_own(uint64_t address)
{
	return address - map.own.start < map.own.end - map.own.start;
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
	sum = hash_product(sum ^ value);
	return sum ^ sum >> 32;
}

/* In a PT_NOTE segment; NULL: it is not there. */
static const uint8_t *build_id_in(const uint8_t *note, size_t bytes, size_t *count)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *header = (const void *)note;
		size_t name = (header->n_namesz + 3) & ~3u;
		size_t whole = sizeof *header + name + ((header->n_descsz + 3) & ~3u);

		if (whole > bytes)
			return NULL;
		if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 &&
		    !memcmp(header + 1, "GNU", 4)) {
			*count = header->n_descsz;
			return note + sizeof *header + name;
		}
		note += whole;
		bytes -= whole;
	}
	return NULL;
}

/* From the object's headers in memory, in 10 ns; no file is opened. NULL: it has none. */
static const uint8_t *build_id_of(const struct code_object *object, size_t *count)
{
	const ElfW(Ehdr) *elf = (const void *)object->start;

	if (memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_phoff > 4096)
		return NULL;
	const ElfW(Phdr) *header = (const void *)(object->start + elf->e_phoff);
	for (int i = 0; i < elf->e_phnum; i++) {
		uint64_t at = object->base + header[i].p_vaddr;
		if (header[i].p_type != PT_NOTE || at < object->start ||
		    at + header[i].p_memsz > object->end)
			continue;
		const uint8_t *id = build_id_in((const void *)at, header[i].p_memsz, count);
		if (id)
			return id;
	}
	return NULL;
}

/* Headers with all sizes, and the build-id if it has one that is too short. */
static uint64_t sum_of_first_page(const struct code_object *object)
{
	const uint64_t *words = (const void *)object->start;
	uint64_t lanes[4] = {1, 2, 3, 4}; /* in parallel, to be quick */

	for (int i = 0; i < IDENTITY_WORDS; i += 4)
		for (int lane = 0; lane < 4; lane++)
			lanes[lane] = mix(lanes[lane], words[i + lane]);
	return mix(mix(mix(lanes[0], lanes[1]), lanes[2]), lanes[3]);
}

static uint64_t add_name(uint64_t sum, const char *name)
{
	size_t bytes = strlen(name);
	uint64_t word;

	for (; bytes >= sizeof word; name += sizeof word, bytes -= sizeof word) {
		memcpy(&word, name, sizeof word);
		sum = mix(sum, word);
	}
	word = bytes;
	for (size_t i = 0; i < bytes; i++)
		word = word << 8 | (uint8_t)name[i];
	return mix(sum, word);
}

/* Made of the name and the build-id, or else the beginning of the file. */
uint64_t code_object_identity(const struct code_object *object)
{
	uint64_t words[2];
	size_t bytes = 0;
	const uint8_t *build_id = build_id_of(object, &bytes);

	if (unlikely(!build_id || bytes < sizeof words))
		return add_name(sum_of_first_page(object), object->name) | 1;
	memcpy(words, build_id, sizeof words);
	return add_name(mix(mix(1, words[0]), words[1]), object->name) | 1;
}

uint64_t module_map_identity(uint64_t address)
{
	struct code_object object;

	if (module_map_is_permanent(address) || !module_map_find(address, &object))
		return 0;
	return code_object_identity(&object);
}

const char *module_map_program(void)
{
	return map.program;
}

static void write_hexadecimal(char *text, size_t capacity, const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < count && 2 * i + 2 < capacity; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
}

/* The loader keeps a relative name (dlopen("./plug.so"), LD_LIBRARY_PATH=lib) as it was given: it
 * is relative to the working directory. We use the one of start-up, because a system call now could
 * end a program in a sandbox. If the program has changed it since, the path names no file, or one
 * with another build-id, which the analyzer refuses. */
static uint64_t store_relative(const char *name)
{
	while (name[0] == '.' && name[1] == '/')
		name += strspn(name + 1, "/") + 1;
	bool fits = strlen(map.directory) + strlen(name) <= STORE_TEXT_BYTES;
	return store_joined(fits ? map.directory : "", name);
}

static uint64_t store_path(const struct code_object *object)
{
	if (!object->name[0])
		return store_string(map.program);
	if (!strncmp(object->name, "linux-vdso", 10))
		return store_string("[vdso]");
	return object->name[0] == '/' ? store_string(object->name) : store_relative(object->name);
}

static uint16_t add_module(const struct code_object *object, uint64_t identity)
{
	uint32_t number;
	struct row_modules *row = row_array_add(&map.modules, &number);

	if (!row)
		return 0;
	size_t bytes = 0;
	const uint8_t *build_id = build_id_of(object, &bytes);
	map.identities[number] = identity;
	row->end = object->end;
	row->base = object->base;
	row->path = store_path(object);
	if (build_id)
		write_hexadecimal(row->build_id, sizeof row->build_id, build_id, bytes);
	__atomic_store_n(&row->start, object->start, __ATOMIC_RELEASE);
	return (uint16_t)number;
}

uint16_t module_map_module(uint64_t address, uint64_t *offset)
{
	struct code_object object;

	*offset = address;
	if (!module_map_find(address, &object))
		return 0;
	*offset = address - object.base;
	uint64_t identity = module_map_is_permanent(address) ? 0 : code_object_identity(&object);
	uint32_t count = __atomic_load_n(&map.modules.next, __ATOMIC_ACQUIRE);
	/* the newest first: an object may have been loaded where another was unloaded */
	for (uint32_t i = count - 1; i > 0; i--) {
		const struct row_modules *row = row_array_row(&map.modules, i);
		/* written last: if it is there, so are the others */
		if (__atomic_load_n(&row->start, __ATOMIC_ACQUIRE) == object.start &&
		    row->end == object.end && row->base == object.base &&
		    map.identities[i] == identity)
			return (uint16_t)i;
	}
	uint16_t added = add_module(&object, identity);
	if (!added)
		*offset = address;
	return added;
}

void module_map_reset(void)
{
	row_array_reset(&map.modules);
}
