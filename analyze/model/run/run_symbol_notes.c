/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_symbol_notes.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/symbols/debug_package.h"

#include <stdlib.h>
#include <string.h>

enum {
	NAMED = 4,           /* of them, in the note */
	NAMELESS_NOTES = 3,  /* objects, those with the most time */
	NAMELESS_SHARE = 100 /* less than a hundredth of the CPU time is not worth a note */
};

void run_note_lacks(struct text_list *notes, const struct names *names)
{
	const char *lack;

	for (size_t i = 0; (lack = names_module_lack(names, i)); i++)
		text_list_add(notes, "%s", lack);
}

#define INFERRED "ended in a jump, and left no frame"

bool run_note_is_inferred(const char *note)
{
	return !strncmp(note, INFERRED, strlen(INFERRED));
}

void run_note_inferred(struct run *run)
{
	char *list = memory_copy_text("");
	size_t count = 0;

	for (size_t i = 0; i < names_count(run->names); i++) {
		const struct routine *routine = names_routine(run->names, i);

		if (!routine->is_inferred || routine->is_runtime || count++ >= NAMED)
			continue;
		char *before = list;

		list = memory_print("%s%s%s", before, *before ? ", " : "", routine->name);
		free(before);
	}
	if (count > NAMED)
		text_list_add(&run->notes,
			      INFERRED ": %s, and %zu more; call paths have "
				       "them where debugging information allows no other way",
			      list, count - NAMED);
	else if (count)
		text_list_add(&run->notes,
			      INFERRED ": %s; call paths have them where "
				       "debugging information allows no other way",
			      list);
	free(list);
}

/* ---- routines without names */

struct nameless {
	const char *module;
	uint64_t cpu_ns;
};

/* "libc.so.6+0x86180": symbols/symbol_place.h */
static bool is_nameless(const struct routine *routine)
{
	const char *base = runtime_base_name(routine->module);
	size_t length = strlen(base);

	return length && !strncmp(routine->name, base, length) &&
	       !strncmp(routine->name + length, "+0x", 3);
}

static int compare_nameless(const void *left, const void *right)
{
	const struct nameless *a = left, *b = right;

	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return strcmp(a->module, b->module);
}

/* Those that can be read, the most time first; released by the caller. */
static struct nameless *list_nameless(const struct run *run, size_t *count)
{
	struct nameless *list = NULL;
	size_t capacity = 0, i;

	*count = 0;
	for (size_t r = 0; r < run->routines.count; r++) {
		const struct routine_time *row = &run->routines.rows[r];
		const struct routine *routine = names_routine(run->names, row->routine);

		if (!is_nameless(routine) || !names_has_file(run->names, routine->module))
			continue;
		for (i = 0; i < *count && strcmp(list[i].module, routine->module) != 0;)
			i++;
		if (i == *count) {
			list = memory_grow(list, i, &capacity, sizeof *list);
			list[(*count)++].module = routine->module;
		}
		list[i].cpu_ns += row->self_ns;
	}
	if (*count)
		qsort(list, *count, sizeof *list, compare_nameless);
	return list;
}

static bool is_of_system(const char *path)
{
	static const char *const stems[] = {"/usr/", "/lib", "/bin/", "/sbin/"};
	bool is_local = !strncmp(path, "/usr/local/", strlen("/usr/local/"));

	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
		if (!is_local && !strncmp(path, stems[i], strlen(stems[i])))
			return true;
	return false;
}

/* Where the names can be had; released by the caller. */
static char *remedy_for(const char *path)
{
	const char *set = getenv("DEBUGINFOD_URLS");
	bool is_asked = set && *set;
	char *package = debug_package_of(path);
	char *text = package && is_asked ? memory_print("the package %s has them", package)
		     : package           ? memory_print("the package %s has them, or a report with "
								  "DEBUGINFOD_URLS=%s",
							package, debug_package_server())
		     : is_of_system(path) && !is_asked
			     ? memory_print("a report with DEBUGINFOD_URLS=%s may find them",
					    debug_package_server())
			     : memory_copy_text("it has no symbols of them; link it without -s, or "
						"give the directory of its debugging file: "
						"--symbols DIR");

	free(package);
	return text;
}

static void note_nameless(struct run *run, const struct nameless *object)
{
	double percent = 100.0 * (double)object->cpu_ns / (double)run->cpu_ns;
	char *remedy = remedy_for(object->module);

	text_list_add(&run->notes, "%s of the CPU time is in routines of %s without names: %s",
		      quantity_percent(percent).text, runtime_base_name(object->module), remedy);
	free(remedy);
}

void run_note_nameless(struct run *run)
{
	size_t count;
	struct nameless *list = list_nameless(run, &count);

	for (size_t i = 0; i < count && i < NAMELESS_NOTES; i++)
		if (list[i].cpu_ns && list[i].cpu_ns >= run->cpu_ns / NAMELESS_SHARE)
			note_nameless(run, &list[i]);
	free(list);
}
