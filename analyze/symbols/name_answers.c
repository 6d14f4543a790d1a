/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/name_answers.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"

#include <stdlib.h>

struct name_answers {
	struct text_set *texts;
	struct keyed_table *table; /* struct name_answer */
};

struct name_answers *name_answers_create(void)
{
	struct name_answers *answers = memory_allocate(1, sizeof *answers);

	answers->texts = text_set_create();
	answers->table =
		keyed_table_create(sizeof(struct name_answer), sizeof(struct name_question));
	return answers;
}

void name_answers_destroy(struct name_answers *answers)
{
	if (!answers)
		return;
	for (size_t i = 0; i < name_answers_count(answers); i++)
		free(name_answers_at(answers, i)->names);
	keyed_table_destroy(answers->table);
	text_set_destroy(answers->texts);
	free(answers);
}

const char *name_answers_text(struct name_answers *answers, const char *text)
{
	return text ? text_set_keep(answers->texts, text) : NULL;
}

const struct name_answer *name_answers_find(struct name_answers *answers,
					    const struct name_question *question)
{
	const struct name_answer probe = {.question = *question};
	struct name_answer *answer = keyed_table_find(answers->table, &probe);

	if (answer)
		answer->is_used = true;
	return answer;
}

void name_answers_add(struct name_answers *answers, const struct name_question *question,
		      const struct kept_name *names, size_t count)
{
	const struct name_answer probe = {.question = *question};
	bool is_new;
	struct name_answer *answer = keyed_table_enter(answers->table, &probe, &is_new);

	if (!is_new)
		return;
	answer->is_used = true;
	answer->count = count;
	answer->names = memory_allocate(count + 1, sizeof *answer->names);
	for (size_t i = 0; i < count; i++) {
		struct kept_name *name = &answer->names[i];

		*name = names[i];
		name->path = name_answers_text(answers, name->path);
		name->place.routine = name_answers_text(answers, name->place.routine);
		name->place.file = name_answers_text(answers, name->place.file);
	}
}

void name_answers_age(struct name_answers *answers)
{
	for (size_t i = 0; i < name_answers_count(answers); i++)
		((struct name_answer *)keyed_table_row(answers->table, i))->is_used = false;
}

size_t name_answers_count(const struct name_answers *answers)
{
	return keyed_table_count(answers->table);
}

const struct name_answer *name_answers_at(const struct name_answers *answers, size_t number)
{
	return keyed_table_row(answers->table, number);
}
