/* SPDX-License-Identifier: MIT */
#include "analyze/model/threads/thread_callable.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What precedes the callable, in routines that begin with the other text. */
static const struct {
	const char *routine, *before;
	bool is_second; /* the second argument of the template; otherwise the first */
} forms[] = {
	{"std::thread::_State_impl<", "std::thread::_Invoker<std::tuple<", false},
	{"std::__future_base::_Async_state_impl<", "std::thread::_Invoker<std::tuple<", false},
	{"std::_Function_handler<", "std::_Function_handler<", true},
	/* libc++: its own record comes first */
	{"std::__1::__thread_proxy<", "default_delete<std::__1::__thread_struct> >, ", false},
};

/* Length up to the bracket that closes the text, or up to a comma if that ends it too. */
static size_t length_within(const char *text, bool is_comma_end)
{
	size_t length = 0;
	int depth = 0;

	for (; text[length]; length++) {
		if (strchr("<({[", text[length]))
			depth++;
		else if (strchr(">)}]", text[length]) && depth-- == 0)
			break;
		else if (text[length] == ',' && !depth && is_comma_end)
			break;
	}
	return length;
}

static size_t argument_length(const char *text)
{
	return length_within(text, true);
}

static char *argument(const char *text)
{
	size_t length = argument_length(text);

	while (length && text[length - 1] == ' ')
		length--;
	return memory_print("%.*s", (int)length, text);
}

static bool is_namespace(const char *text)
{
	static const char name[] = "(anonymous namespace)";

	return !strncmp(text, name, sizeof name - 1);
}

/* The text after what the bracket encloses. */
static const char *behind_bracket(const char *text)
{
	const char *end = text + 1 + length_within(text + 1, false);

	return *end ? end + 1 : end;
}

/* Removes the parameters of an enclosing routine, which no other name has:
 * `start(int)::{lambda()#1}`. Those of a lambda, and arguments of templates, stay. */
static void cut_parameters(char *name)
{
	const char *from = name;
	char *to = name;

	while (*from) {
		const char *end = strchr("({<", *from) ? behind_bracket(from) : from + 1;
		const char *next = end + (strncmp(end, " const", 6) ? 0 : 6);

		if (*from == '(' && !is_namespace(from) && !strncmp(next, "::", 2)) {
			from = next;
			continue;
		}
		memmove(to, from, (size_t)(end - from));
		to += end - from;
		from = end;
	}
	*to = '\0';
}

/* A pointer may point to any routine, and a type of the library may contain one. */
static bool is_class(const char *name)
{
	const char *at = name, *last = name;

	for (; *at; last = at, at = strchr("({<", *at) ? behind_bracket(at) : at + 1)
		if (*at == '(' && !is_namespace(at))
			return false;
	return *name && *last != '*' && strncmp(name, "std::", 5) != 0;
}

/* What std::ref wraps is what runs. */
static const char *unwrap(const char *text)
{
	static const char *const wrappers[] = {"std::reference_wrapper<",
					       "std::__1::reference_wrapper<"};

	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
		if (!strncmp(text, wrappers[i], strlen(wrappers[i])))
			return text + strlen(wrappers[i]);
	return text;
}

char *thread_callable(const char *routine)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const char *at = strstr(routine, forms[i].before);

		if (strncmp(routine, forms[i].routine, strlen(forms[i].routine)) != 0 || !at)
			continue;
		at += strlen(forms[i].before);
		if (forms[i].is_second) {
			at += argument_length(at);
			at += strspn(at, ", ");
		}
		char *name = argument(unwrap(at));

		cut_parameters(name);
		if (is_class(name))
			return name;
		free(name);
		return NULL;
	}
	return NULL;
}
