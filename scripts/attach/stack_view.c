/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stack_view.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stack_view {
	Dwfl *dwfl;
};

struct reading {
	struct stack_view *view;
	struct frame *frames;
	int count, limit;
};

static pid_t viewed; /* of the view that is being opened: libdw asks for files then */

/* A process in a container has other files of the same name. */
static int find_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     char **file_name, Elf **elf)
{
	char path[PATH_MAX + 40];

	if (name[0] != '/')
		return dwfl_linux_proc_find_elf(module, data, name, base, file_name, elf);
	snprintf(path, sizeof path, "/proc/%ld/root%s", (long)viewed, name);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file >= 0)
		*file_name = strdup(name);
	return file;
}

/* Names in .symtab and .dynsym are enough, and nothing is looked for elsewhere. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word sum, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)sum,
		(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = find_file,
					 .find_debuginfo = find_no_debuginfo};

static int warm(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start, void *unused)
{
	GElf_Addr bias;

	(void)data, (void)name, (void)start, (void)unused;
	if (dwfl_module_getelf(module, &bias)) {
		dwfl_module_eh_cfi(module, &bias);
		dwfl_module_getsymtab(module);
	}
	return DWARF_CB_OK;
}

struct stack_view *stack_view_open(pid_t process)
{
	struct stack_view *view = calloc(1, sizeof *view);

	if (!view)
		return NULL;
	viewed = process;
	view->dwfl = dwfl_begin(&callbacks);
	bool is_open = view->dwfl && dwfl_linux_proc_report(view->dwfl, process) == 0 &&
		       dwfl_report_end(view->dwfl, NULL, NULL) == 0 &&
		       dwfl_getmodules(view->dwfl, warm, NULL, 0) == 0 &&
		       dwfl_linux_proc_attach(view->dwfl, process, true) == 0;
	if (is_open)
		return view;
	stack_view_close(view);
	return NULL;
}

void stack_view_close(struct stack_view *view)
{
	if (view)
		dwfl_end(view->dwfl);
	free(view);
}

static void name_frame(const struct stack_view *view, struct frame *frame, bool is_instruction)
{
	Dwarf_Addr start, address = frame->pc - (is_instruction ? 0 : 1);
	Dwfl_Module *module = dwfl_addrmodule(view->dwfl, address);
	const char *file = NULL;

	if (!module)
		return;
	const char *name = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, &file, NULL);
	name = file ? file : name;
	const char *slash = name ? strrchr(name, '/') : NULL;
	frame->object = slash ? slash + 1 : name;
	frame->routine = dwfl_module_addrname(module, address);
}

static int take_frame(Dwfl_Frame *state, void *argument)
{
	struct reading *reading = argument;
	struct frame *frame = &reading->frames[reading->count];
	Dwarf_Addr pc;
	bool is_instruction;

	if (reading->count == reading->limit || !dwfl_frame_pc(state, &pc, &is_instruction))
		return DWARF_CB_ABORT;
	*frame = (struct frame){.pc = pc, .is_interrupted = reading->count && is_instruction};
	name_frame(reading->view, frame, is_instruction);
	reading->count++;
	return DWARF_CB_OK;
}

int stack_view_read(struct stack_view *view, pid_t thread, struct frame *frames, int limit)
{
	struct reading reading = {view, frames, 0, limit};

	return dwfl_getthread_frames(view->dwfl, thread, take_frame, &reading) == 0 ? reading.count
										    : 0;
}
