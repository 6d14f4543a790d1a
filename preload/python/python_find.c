/* SPDX-License-Identifier: MIT */
#include "preload/python/python_find.h"

#include "preload/base/direct.h"
#include "preload/file/note.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct python_runtime python_runtime;

/* What was found and cannot be read. */
static struct {
	unsigned minor;        /* of a version that is not known here; 0: none */
	bool is_unusual_build; /* free-threaded, or laid out otherwise than its version's headers
				  say */
} unread;

/* From 3.13 on, at the begin of _PyRuntime (_Py_DebugOffsets): the part of it that is read. */
struct debug_offsets {
	char cookie[8];
	uint64_t version, free_threaded;
	uint64_t runtime_state[3], interpreter_state[13];
	struct {
		uint64_t size, before, next, interpreter, top;
		uint64_t rest[4];
	} thread_state;
	struct {
		uint64_t size, before, code, instruction, locals, owner;
	} frame;
	struct {
		uint64_t size, file, name, qualified, lines, first_line, rest[3], begin;
	} code;
};

enum { SINCE_OFFSETS = 13 };

static void *find(const char *name)
{
	return direct.dlsym(RTLD_DEFAULT, name);
}

static unsigned number_in(const char **text)
{
	unsigned number = 0;

	while (**text >= '0' && **text <= '9')
		number = number * 10 + (unsigned)(*(*text)++ - '0');
	return number;
}

/* "3.10.13 (main, ...": its minor version; 0: another language's. */
static unsigned minor_in(const char *text)
{
	unsigned major = number_in(&text);

	if (major != 3 || *text++ != '.')
		return 0;
	return number_in(&text);
}

/* Constant data, in versions that have it: they may not be initialized yet. */
static unsigned minor_version(void)
{
	const unsigned long *number = find("Py_Version");
	const char *(*text)(void) = (const char *(*)(void))find("Py_GetVersion");

	if (number)
		return *number >> 24 == 3 ? *number >> 16 & 255 : 0;
	return text ? minor_in(text()) : 0;
}

/* What the interpreter says of itself agrees with the table. */
static bool agrees(const struct debug_offsets *says, const struct python_layout *layout)
{
	return !memcmp(says->cookie, "xdebugpy", sizeof says->cookie) && !says->free_threaded &&
	       says->version >> 16 == (3u << 8 | layout->minor) &&
	       says->thread_state.top == layout->thread_top &&
	       says->frame.before == layout->frame_before &&
	       says->frame.code == layout->frame_code &&
	       says->frame.instruction == layout->frame_instruction &&
	       says->frame.owner == layout->frame_entry && says->code.file == layout->code_file &&
	       says->code.name == layout->code_name &&
	       says->code.qualified == layout->code_qualified &&
	       says->code.lines == layout->code_lines &&
	       says->code.first_line == layout->code_first_line &&
	       says->code.begin == layout->code_begin;
}

/* Everything but the layout, which is set last: false if a name is missing. */
static bool find_names(void)
{
	python_runtime.thread_state = (void *(*)(void))find("PyGILState_GetThisThreadState");
	python_runtime.code_type = (uint64_t)find("PyCode_Type");
	python_runtime.text_type = (uint64_t)find("PyUnicode_Type");
	python_runtime.bytes_type = (uint64_t)find("PyBytes_Type");
	python_runtime.loop = (uint64_t)find("_PyEval_EvalFrameDefault");
	return python_runtime.thread_state && python_runtime.code_type &&
	       python_runtime.text_type && python_runtime.bytes_type && python_runtime.loop;
}

void python_find(void)
{
	const void *runtime = find("_PyRuntime");
	unsigned minor = runtime && find_names() ? minor_version() : 0;
	const struct python_layout *layout = python_layout_of(minor);

	unread.minor = layout ? 0 : minor;
	unread.is_unusual_build = layout && minor >= SINCE_OFFSETS && !agrees(runtime, layout);
	python_runtime.layout = unread.is_unusual_build ? NULL : layout;
}

void python_note(void)
{
	if (unlikely(unread.minor != 0))
		note_once(NOTE_PYTHON_VERSION, unread.minor);
	if (unlikely(unread.is_unusual_build))
		note_once(NOTE_PYTHON_BUILD, 0);
}
