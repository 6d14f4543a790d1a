/* SPDX-License-Identifier: MIT */
#include "object.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DELETED " (deleted)"

struct mapping {
	unsigned long long start, end, offset;
	char access[8];
	char path[PATH_MAX];
};

static bool read_mapping(FILE *maps, struct mapping *mapping)
{
	char line[PATH_MAX + 128];
	int path = 0;

	if (!fgets(line, sizeof line, maps))
		return false;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &mapping->start, &mapping->end,
		   mapping->access, &mapping->offset, &path) < 4)
		return false;
	snprintf(mapping->path, sizeof mapping->path, "%s", path ? line + path : "");
	return true;
}

static bool is_named(const char *path, const char *start, const char *end)
{
	const char *slash = strrchr(path, '/');

	return slash && strncmp(slash + 1, start, strlen(start)) == 0 && strstr(slash + 1, end);
}

bool object_find(pid_t process, const char *start, const char *end, struct object *object)
{
	char path[40];
	struct mapping mapping;

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)process);
	FILE *maps = fopen(path, "re");
	*object = (struct object){0};
	while (maps && read_mapping(maps, &mapping)) {
		if (!object->path[0] && is_named(mapping.path, start, end) && mapping.offset == 0) {
			strcpy(object->path, mapping.path);
			object->bias = mapping.start; /* libraries begin at address 0 of theirs */
		}
		bool is_text = object->path[0] && !object->text_end &&
			       strcmp(mapping.path, object->path) == 0 && mapping.access[2] == 'x';
		if (is_text) {
			object->text_start = mapping.start;
			object->text_end = mapping.end;
		}
	}
	if (maps)
		fclose(maps);
	char *deleted = strstr(object->path, DELETED);
	object->is_deleted = deleted && !deleted[strlen(DELETED)];
	if (object->is_deleted)
		*deleted = '\0';
	return object->text_end != 0;
}

static uint64_t find_in_section(Elf *elf, Elf_Scn *section, const char *name)
{
	GElf_Shdr header;
	Elf_Data *data = elf_getdata(section, NULL);

	if (!data || !gelf_getshdr(section, &header) || !header.sh_entsize)
		return 0;
	for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
		GElf_Sym symbol;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
			continue;
		const char *found = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (found && strcmp(found, name) == 0)
			return symbol.st_value;
	}
	return 0;
}

uint64_t object_value(pid_t process, const struct object *object, const char *name)
{
	char path[PATH_MAX + 40];
	GElf_Shdr header;
	Elf_Scn *section = NULL;
	uint64_t value = 0;

	snprintf(path, sizeof path, "/proc/%ld/root%s", (long)process, object->path);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	elf_version(EV_CURRENT);
	Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
	while (elf && !value && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			value = find_in_section(elf, section, name);
	elf_end(elf);
	if (file >= 0)
		close(file);
	return value;
}

uint64_t object_symbol(pid_t process, const struct object *object, const char *name)
{
	uint64_t value = object_value(process, object, name);

	return value ? object->bias + value : 0;
}
