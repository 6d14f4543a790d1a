/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_steps.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any formula that somebody writes. */
#define STEPS_MAX 1024

static const struct {
	const char *word;
	enum counter_op op;
} words[] = {
	{"cpu_seconds", STEP_CPU_SECONDS},
	{"elapsed_seconds", STEP_ELAPSED_SECONDS},
	{"+", STEP_ADD},
	{"-", STEP_SUBTRACT},
	{"*", STEP_MULTIPLY},
	{"/", STEP_DIVIDE},
};

static bool is_operation(const struct counter_step *step)
{
	return step->op >= STEP_ADD;
}

/* ---- parsing */

static bool parse_event(const char *word, const size_t *event_of, size_t limit,
			struct counter_step *step)
{
	char *end;
	unsigned long long number = strtoull(word + 1, &end, 10);

	if (end == word + 1 || *end || number >= limit || !event_of[number])
		return false;
	*step = (struct counter_step){.op = STEP_EVENT, .event = event_of[number]};
	return true;
}

static bool parse_step(const char *word, const size_t *event_of, size_t limit,
		       struct counter_step *step)
{
	char *end;

	if (*word == '@')
		return parse_event(word, event_of, limit, step);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(word, words[i].word)) {
			*step = (struct counter_step){.op = words[i].op};
			return true;
		}
	*step = (struct counter_step){.op = STEP_NUMBER, .number = strtod(word, &end)};
	return end != word && !*end && isfinite(step->number);
}

/* Does every operation find its operands, and is one value left? */
static bool is_formula(const struct counter_steps *steps)
{
	size_t depth = 0;

	for (size_t i = 0; i < steps->count; i++) {
		if (is_operation(&steps->rows[i])) {
			if (depth < 2)
				return false;
			depth--;
		} else if (++depth > COUNTER_STACK_MAX) {
			return false;
		}
	}
	return depth == 1;
}

struct counter_steps counter_steps_parse(const char *text, const size_t *event_of, size_t limit)
{
	struct counter_steps steps = {0};
	char *copy = memory_copy_text(text), *rest = NULL;
	size_t capacity = 0;
	bool is_good = true;

	for (char *word = strtok_r(copy, " ", &rest); word && is_good;
	     word = strtok_r(NULL, " ", &rest)) {
		steps.rows = memory_grow(steps.rows, steps.count, &capacity, sizeof *steps.rows);
		is_good = steps.count < STEPS_MAX &&
			  parse_step(word, event_of, limit, &steps.rows[steps.count]);
		steps.count++;
	}
	free(copy);
	if (!is_good || !is_formula(&steps))
		counter_steps_clear(&steps);
	return steps;
}

void counter_steps_clear(struct counter_steps *steps)
{
	free(steps->rows);
	*steps = (struct counter_steps){0};
}

/* ---- as a text */

static char *step_text(const struct counter_step *step)
{
	if (step->op == STEP_NUMBER)
		return memory_print("%.17g", step->number);
	if (step->op == STEP_EVENT)
		return memory_print("@%zu", step->event);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].op == step->op)
			return memory_copy_text(words[i].word);
	return memory_copy_text("");
}

char *counter_steps_text(const struct counter_steps *steps)
{
	char *text = memory_copy_text("");

	for (size_t i = 0; i < steps->count; i++) {
		char *step = step_text(&steps->rows[i]);
		char *longer = memory_print("%s%s%s", text, i ? " " : "", step);

		free(step);
		free(text);
		text = longer;
	}
	return text;
}

/* ---- the value */

static double operand_of(const struct counter_step *step, const struct counter_operands *operands)
{
	switch (step->op) {
	case STEP_NUMBER:
		return step->number;
	case STEP_EVENT:
		return step->event < operands->event_limit ? operands->events[step->event] : NAN;
	case STEP_CPU_SECONDS:
		return operands->cpu_seconds;
	default:
		return operands->elapsed_seconds;
	}
}

static double result_of(enum counter_op op, double left, double right)
{
	switch (op) {
	case STEP_ADD:
		return left + right;
	case STEP_SUBTRACT:
		return left - right;
	case STEP_MULTIPLY:
		return left * right;
	default:
		return right != 0 ? left / right : NAN;
	}
}

double counter_steps_value(const struct counter_steps *steps,
			   const struct counter_operands *operands)
{
	double stack[COUNTER_STACK_MAX];
	size_t depth = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct counter_step *step = &steps->rows[i];

		if (!is_operation(step)) {
			stack[depth++] = operand_of(step, operands);
			continue;
		}
		depth--;
		stack[depth - 1] = result_of(step->op, stack[depth - 1], stack[depth]);
	}
	return depth == 1 && isfinite(stack[0]) ? stack[0] : NAN;
}
