/* SPDX-License-Identifier: MIT */
/* The process that makes those of interrupted_child.h, one for each handler and place, and says
 * what they did. */
#pragma once
#include "interrupted_child.h"

static void say(pid_t child, const char *handler, const struct step_place *place, int status)
{
	char line[1024];
	int used = snprintf(line, sizeof line, "%d %s %lx:%u:%lx %d %d %s %d", child, handler,
			    (unsigned long)(place->code - own_begin), place->time,
			    (unsigned long)place->depth, shared->steps.was_sent, shared->handled,
			    shared->left < 0 ? "-" : call_names[shared->left], status);

	for (int i = 0; i < CALL_COUNT; i++)
		used += snprintf(line + used, sizeof line - (size_t)used, " %s=%ld", call_names[i],
				 shared->did[i]);
	line[used++] = '\n';
	line[used] = 0;
	truth_write(NULL, line);
}

static pid_t make(void)
{
	memset(shared, 0, sizeof *shared);
	shared->under_way = shared->left = CALL_NONE;
	pid_t child = fork();
	if (!child)
		exit(be_child());
	return child;
}

/* False: it did not come to that place. */
static bool disturb(const struct handler *handler, const struct step_place *place, bool is_slow)
{
	handler_does = handler->does;
	if (operation->has_locks && handler_does & ~HANDLER_CALLS && !is_own_code(place->code))
		return true;
	pid_t child = make();
	say(child, handler->name, place,
	    steps_disturb(child, &operation->way, is_slow, place, &shared->steps));
	return shared->steps.was_sent;
}

static void record(void)
{
	pid_t child = make();
	int status = steps_record(child, &operation->way, &shared->steps);

	say(child, "none", &(struct step_place){.code = own_begin}, status);
}

static void choose(const struct operation *operations, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, operations[i].name))
			operation = &operations[i];
	if (!operation)
		exit(2);
}

static void disturb_one(const char *handler, const char *words)
{
	unsigned long code = 0, depth = 0;
	struct step_place place = {.time = 1};

	sscanf(words, "%lx:%u:%lx", &code, &place.time, &depth);
	place.code = own_begin + code;
	place.depth = depth;
	for (int i = 0; i < HANDLERS; i++)
		if (!strcmp(handler, handlers[i].name))
			(void)(disturb(&handlers[i], &place, false) ||
			       disturb(&handlers[i], &place, true));
}

static void disturb_all(long distance, long most)
{
	record();
	if (most)
		distance = steps_list.count / most + 1;
	for (long i = 0; i < HANDLERS; i++)
		for (long at = i * distance / HANDLERS; at < steps_list.count; at += distance)
			if (!disturb(&handlers[i], &steps_list.places[at], false) && !most)
				disturb(&handlers[i], &steps_list.places[at], true);
}

/* The program's main. */
static int disturb_operation(const struct operation *operations, size_t operations_count, int count,
			     char **words)
{
	if (count < 3)
		return 2;
	if (!STEPS_ARE_KNOWN)
		return 0;
	choose(operations, operations_count, words[1]);
	dl_iterate_phdr(find_own_code, NULL);
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	long distance = atol(words[2]);
	if (distance)
		disturb_all(distance, count > 3 ? atol(words[3]) : 0);
	for (int i = 3; i < count && !distance; i++)
		disturb_one(words[2], words[i]);
	return 0;
}
