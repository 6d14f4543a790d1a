/* SPDX-License-Identifier: MIT */
#include "preload/life/section_routines.h"

#include "preload/base/direct.h"
#include "preload/base/likely.h"
#include "preload/base/system.h"
#include "preload/life/section_calls.h"
#include "preload/stacks/unwind.h"
#include "preload/thread/thread.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

enum { PAGE = 4096, NAMES_BYTES = 2048 };

struct section_routine section_routines[SECTION_ROUTINES];
unsigned section_routine_count;

unsigned section_routines_set(const char *names)
{
	static char kept[NAMES_BYTES];
	size_t length = strnlen(names, sizeof kept - 1);
	char *at = kept;

	memcpy(kept, names, length);
	kept[length] = '\0';
	while (*at && section_routine_count < SECTION_ROUTINES) {
		char *end = at + strcspn(at, ",");
		bool is_last = !*end;

		*end = '\0';
		if (*at)
			section_routines[section_routine_count++].name = at;
		at = end + !is_last;
	}
	return section_routine_count;
}

/* What lies behind the arguments may be nobody's: a stack ends there. */
static uint64_t readable_words(const uint64_t *arguments)
{
	const struct thread *thread = thread_current();
	uint64_t address = (uint64_t)arguments, page_end = (address | (PAGE - 1)) + 1;
	uint64_t end = page_end;

	if (thread && address >= thread->stack.low && address < thread->stack.high)
		end = thread->stack.high;
	else if (unwind_may_read(page_end))
		end = page_end + PAGE;
	return (end - address) / sizeof *arguments;
}

/* Of the call that came to the door. */
static struct site site_of(const uint64_t *frame)
{
	return (struct site){frame[1], (uint64_t)(frame + 2), frame[0], 0};
}

struct section_routine_call section_routine_enter(uint64_t number, const uint64_t *frame)
{
	uint64_t words = readable_words(frame + 2);
	const struct site site = site_of(frame);

	section_call_enter(section_routines[number].name, &site);
	return (struct section_routine_call){
		section_routines[number].original,
		words < SECTION_ROUTINE_WORDS ? words & ~UINT64_C(1) : SECTION_ROUTINE_WORDS,
	};
}

void section_routine_leave(uint64_t number, const uint64_t *frame)
{
	const struct site site = site_of(frame);

	section_call_end(section_routines[number].name, &site);
}

/* ---- instrumented routines */

static struct {
	uint64_t address;
	const char *name;
} hooks[SECTION_ROUTINES];

unsigned section_hook_count;

static uint64_t hexadecimal(const char **at)
{
	uint64_t number = 0;

	for (;; ++*at)
		if (**at >= '0' && **at <= '9')
			number = number << 4 | (uint64_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			number = number << 4 | (uint64_t)(**at - 'a' + 10);
		else
			return number;
}

static bool is_this_program(uint64_t device, uint64_t inode)
{
	struct stat status;

	return !system_status_of("/proc/self/exe", &status, 0) && status.st_dev == device &&
	       status.st_ino == inode;
}

/* The first object of the loader's list is the program. */
static int find_base(struct dl_phdr_info *info, size_t unused, void *base)
{
	(void)unused;
	*(uint64_t *)base = info->dlpi_addr;
	return 1;
}

/* NAME@ADDRESS; moves behind it. False: it is none, or there are too many. */
static bool take_hook(char **at, uint64_t base)
{
	char *sign = *at + strcspn(*at, "@,");
	const char *number = sign + 1;

	if (*sign != '@' || section_hook_count == SECTION_ROUTINES)
		return false;
	*sign = '\0';
	hooks[section_hook_count].name = *at;
	hooks[section_hook_count++].address = base + hexadecimal(&number);
	*at += number - *at;
	return true;
}

void section_hooks_set(const char *text)
{
	static char kept[NAMES_BYTES * 2];
	uint64_t base = 0, device = hexadecimal(&text);
	bool is_ours = *text++ == ':' && is_this_program(device, hexadecimal(&text));
	size_t length = is_ours ? strnlen(text, sizeof kept - 1) : 0;
	char *at = kept;

	memcpy(kept, text, length);
	kept[length] = '\0';
	direct.dl_iterate_phdr(find_base, &base);
	while (*at++ == ',' && take_hook(&at, base))
		;
}

static const char *hooked(uint64_t routine)
{
	for (unsigned i = 0; i < section_hook_count; i++)
		if (hooks[i].address == routine)
			return hooks[i].name;
	return NULL;
}

bool section_hook_is_set(const char *name)
{
	for (unsigned i = 0; i < section_hook_count; i++)
		if (!strcmp(hooks[i].name, name))
			return true;
	return false;
}

void section_hook_enter(uint64_t routine, const struct site *site)
{
	const char *name = hooked(routine);

	if (name)
		section_call_enter(name, site);
}

void section_hook_leave(uint64_t routine, const struct site *site)
{
	const char *name = hooked(routine);

	if (name)
		section_call_end(name, site);
}
