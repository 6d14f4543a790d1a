/* SPDX-License-Identifier: MIT */
#include "formula.h"

#include "common/nearest_names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

struct parser {
	const char *text, *at;
	const char *const *events;
	int event_count, depth;
	struct formula *formula;
	char *error;
	size_t size;
};

static bool parse_sum(struct parser *parser);

__attribute__((format(printf, 3, 4))) static bool complain(struct parser *parser, const char *where,
							   const char *format, ...)
{
	int length = snprintf(parser->error, parser->size,
			      "column %d: ", (int)(where - parser->text) + 1);
	va_list arguments;

	va_start(arguments, format);
	if (length > 0 && (size_t)length < parser->size)
		vsnprintf(parser->error + length, parser->size - (size_t)length, format, arguments);
	va_end(arguments);
	return false;
}

static char next(struct parser *parser)
{
	while (isblank((unsigned char)*parser->at))
		parser->at++;
	return *parser->at;
}

static bool add_step(struct parser *parser, struct formula_step step)
{
	if (parser->formula->count == FORMULA_STEPS_MAX)
		return complain(parser, parser->at,
				"the formula has more than %d steps: make two of it",
				FORMULA_STEPS_MAX);
	parser->formula->steps[parser->formula->count++] = step;
	return true;
}

static bool parse_number(struct parser *parser)
{
	const char *start = parser->at;
	struct formula_step step = {.kind = STEP_NUMBER};

	while (isdigit((unsigned char)*parser->at))
		parser->at++;
	if (*parser->at == '.')
		parser->at++;
	while (isdigit((unsigned char)*parser->at))
		parser->at++;
	const char *exponent = parser->at;
	if (*exponent == 'e' || *exponent == 'E') {
		exponent += exponent[1] == '+' || exponent[1] == '-' ? 2 : 1;
		if (isdigit((unsigned char)*exponent))
			for (parser->at = exponent; isdigit((unsigned char)*parser->at);)
				parser->at++;
	}
	size_t length = (size_t)(parser->at - start);
	if (length >= sizeof step.text)
		return complain(parser, start, "the number is longer than %zu characters",
				sizeof step.text - 1);
	if (isalpha((unsigned char)*parser->at) || *parser->at == '.' || *parser->at == '_')
		return complain(parser, start, "'%.*s' is no number: write it as 1000, 0.5 or 1e6",
				(int)length + 1, start);
	memcpy(step.text, start, length);
	return add_step(parser, step);
}

static bool is_name_character(char character)
{
	return isalnum((unsigned char)character) || (character && strchr("_-:.=", character));
}

bool formula_is_name(const char *text)
{
	const char *at = text;

	while (is_name_character(*at))
		at++;
	return isalpha((unsigned char)*text) && !*at && strcmp(text, "cpu_seconds") != 0 &&
	       strcmp(text, "elapsed_seconds") != 0;
}

/* Is it an event, a '-' and something? */
static bool is_difference(const struct parser *parser, const char *name)
{
	for (int i = 0; i < parser->event_count; i++) {
		size_t length = strlen(parser->events[i]);

		if (strncmp(parser->events[i], name, length) == 0 && name[length] == '-')
			return true;
	}
	return false;
}

static bool complain_unknown(struct parser *parser, const char *start, const char *name)
{
	struct nearest_names names;
	char near[3 * NEAREST_NAME_SIZE];

	if (is_difference(parser, name))
		return complain(parser, start,
				"'%s' is no event: write a minus with blanks around it", name);
	nearest_begin(&names, name);
	for (int i = 0; i < parser->event_count; i++)
		nearest_offer(&names, parser->events[i]);
	nearest_offer(&names, "cpu_seconds");
	nearest_offer(&names, "elapsed_seconds");
	if (nearest_text(&names, near, sizeof near))
		return complain(parser, start,
				"'%s' is no event above in this section: did you mean %s?", name,
				near);
	return complain(parser, start,
			"'%s' is no event above in this section: add a line 'event %s'", name,
			name);
}

static bool parse_name(struct parser *parser)
{
	const char *start = parser->at;
	char name[NEAREST_NAME_SIZE];

	while (is_name_character(*parser->at))
		parser->at++;
	size_t length = (size_t)(parser->at - start);
	if (length >= sizeof name)
		return complain(parser, start, "the name is longer than %zu characters",
				sizeof name - 1);
	memcpy(name, start, length);
	name[length] = '\0';
	for (int i = 0; i < parser->event_count; i++)
		if (strcmp(parser->events[i], name) == 0)
			return add_step(parser,
					(struct formula_step){.kind = STEP_EVENT, .event = i});
	if (strcmp(name, "cpu_seconds") == 0)
		return add_step(parser, (struct formula_step){.kind = STEP_CPU_SECONDS});
	if (strcmp(name, "elapsed_seconds") == 0)
		return add_step(parser, (struct formula_step){.kind = STEP_ELAPSED_SECONDS});
	return complain_unknown(parser, start, name);
}

static bool parse_parentheses(struct parser *parser)
{
	const char *start = parser->at++;

	if (++parser->depth > DEPTH_MAX)
		return complain(parser, start, "more than %d parentheses are open", DEPTH_MAX);
	if (!parse_sum(parser))
		return false;
	if (next(parser) != ')')
		return complain(parser, start, "this parenthesis is not closed: add a ')'");
	parser->at++;
	parser->depth--;
	return true;
}

static bool parse_value(struct parser *parser)
{
	char character = next(parser);

	if (isdigit((unsigned char)character) ||
	    (character == '.' && isdigit((unsigned char)parser->at[1])))
		return parse_number(parser);
	if (isalpha((unsigned char)character))
		return parse_name(parser);
	if (character == '(')
		return parse_parentheses(parser);
	if (!character)
		return complain(parser, parser->at,
				"a value is missing at the end: a number, an event or a '('");
	return complain(parser, parser->at,
			"a value is missing before '%c': a number, an event or a '('", character);
}

/* What follows the operators of one precedence. */
static bool parse_chain(struct parser *parser, const char *operators,
			bool (*parse)(struct parser *))
{
	if (!parse(parser))
		return false;
	while (next(parser) && strchr(operators, *parser->at)) {
		struct formula_step step = {.kind = STEP_OPERATOR, .text = {*parser->at}};

		parser->at++;
		if (!parse(parser) || !add_step(parser, step))
			return false;
	}
	return true;
}

static bool parse_product(struct parser *parser)
{
	return parse_chain(parser, "*/", parse_value);
}

static bool parse_sum(struct parser *parser)
{
	return parse_chain(parser, "+-", parse_product);
}

bool formula_parse(const char *text, const char *const *events, int event_count,
		   struct formula *formula, char *error, size_t size)
{
	struct parser parser = {.text = text,
				.at = text,
				.events = events,
				.event_count = event_count,
				.formula = formula,
				.error = error,
				.size = size};

	formula->count = 0;
	if (!parse_sum(&parser))
		return false;
	if (*parser.at == ')')
		return complain(&parser, parser.at, "there is no '(' for this ')'");
	if (*parser.at)
		return complain(&parser, parser.at,
				"an operator is missing before '%.10s': one of + - * /", parser.at);
	return true;
}

static int step_text(const struct formula_step *step, const int *position, char *text, size_t size)
{
	switch (step->kind) {
	case STEP_EVENT:
		return snprintf(text, size, "@%d", position[step->event]);
	case STEP_CPU_SECONDS:
		return snprintf(text, size, "cpu_seconds");
	case STEP_ELAPSED_SECONDS:
		return snprintf(text, size, "elapsed_seconds");
	default:
		return snprintf(text, size, "%s", step->text);
	}
}

bool formula_text(const struct formula *formula, const int *position, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < formula->count; i++) {
		if (length + 1 >= size)
			return false;
		if (i > 0)
			text[length++] = ' ';
		length += (size_t)step_text(&formula->steps[i], position, text + length,
					    size - length);
		if (length >= size)
			return false;
	}
	return true;
}
