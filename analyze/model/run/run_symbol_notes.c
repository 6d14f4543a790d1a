/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_symbol_notes.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

enum { NAMED = 4 }; /* of them, in the note */

void run_note_lacks(struct text_list *notes, const struct names *names)
{
	const char *lack;

	for (size_t i = 0; (lack = names_module_lack(names, i)); i++)
		text_list_add(notes, "%s", lack);
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
		text_list_add(
			&run->notes,
			"ended in a jump, and left no frame: %s, and %zu more; call paths have "
			"them where debugging information allows no other way",
			list, count - NAMED);
	else if (count)
		text_list_add(&run->notes,
			      "ended in a jump, and left no frame: %s; call paths have them where "
			      "debugging information allows no other way",
			      list);
	free(list);
}
