/* SPDX-License-Identifier: MIT */
/* Formulas of metrics: their postfix order, what it means, and what is said of wrong ones. */
#include "scripts/run/formula.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const events[] = {"a", "cache-misses", "L1:READ:c=1", "b"};
static const int position[] = {7, 2, 30, 1};

enum { EVENTS = sizeof events / sizeof events[0] };

static struct formula parse(const char *text)
{
	struct formula formula;
	char error[300] = "";

	ck_assert_msg(formula_parse(text, events, EVENTS, &formula, error, sizeof error), "%s: %s",
		      text, error);
	return formula;
}

START_TEST(postfix_order)
{
	static const struct {
		const char *infix, *postfix;
	} cases[] = {
		{"1", "1"},
		{"a", "@7"},
		{"a + b * 2", "@7 @1 2 * +"},
		{"a * b + 2", "@7 @1 * 2 +"},
		{"a - b - 2", "@7 @1 - 2 -"},
		{"a / b / 2", "@7 @1 / 2 /"},
		{"(a + b) * 2", "@7 @1 + 2 *"},
		{"a / (b / 2)", "@7 @1 2 / /"},
		{"  100*cache-misses/( a+b )\t", "100 @2 * @7 @1 + /"},
		{"cache-misses - a", "@2 @7 -"},
		{"L1:READ:c=1 / elapsed_seconds / 1e6", "@30 elapsed_seconds / 1e6 /"},
		{"a / cpu_seconds - .5 + 1.5E-3", "@7 cpu_seconds / .5 - 1.5E-3 +"},
		{"((((a))))", "@7"},
		{"1e+2-1", "1e+2 1 -"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct formula formula = parse(cases[i].infix);
		char text[300];

		ck_assert(formula_text(&formula, position, text, sizeof text));
		ck_assert_str_eq(text, cases[i].postfix);
	}
}
END_TEST

/* As the analyzer does it, with a = 6, cache-misses = 10, L1 = 3, b = 4. */
static double value_of(const char *infix)
{
	static const double values[] = {6, 10, 3, 4};
	struct formula formula = parse(infix);
	double stack[FORMULA_STEPS_MAX];
	int height = 0;

	for (int i = 0; i < formula.count; i++) {
		const struct formula_step *step = &formula.steps[i];

		if (step->kind == STEP_OPERATOR) {
			ck_assert_int_ge(height, 2);
			double right = stack[--height], *left = &stack[height - 1];
			char sign = step->text[0];

			*left = sign == '+'   ? *left + right
				: sign == '-' ? *left - right
				: sign == '*' ? *left * right
					      : *left / right;
		} else {
			stack[height++] = step->kind == STEP_EVENT ? values[step->event]
								   : strtod(step->text, NULL);
		}
	}
	ck_assert_int_eq(height, 1);
	return stack[0];
}

START_TEST(values_are_those_of_arithmetic)
{
	ck_assert_double_eq_tol(value_of("a - b - 1"), 1, 1e-12);
	ck_assert_double_eq_tol(value_of("a - (b - 1)"), 3, 1e-12);
	ck_assert_double_eq_tol(value_of("a / b / 2"), 0.75, 1e-12);
	ck_assert_double_eq_tol(value_of("2 * a + 3 * b - cache-misses / 5"), 22, 1e-12);
	ck_assert_double_eq_tol(value_of("2 * (a + 3) * (b - cache-misses / 5)"), 36, 1e-12);
	ck_assert_double_eq_tol(value_of("1e3 * .5 / L1:READ:c=1"), 500 / 3.0, 1e-9);
}
END_TEST

START_TEST(errors_say_where_and_what)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"", "column 1: a value is missing at the end"},
		{"a +", "column 4: a value is missing at the end"},
		{"a * / b", "column 5: a value is missing before '/'"},
		{"-1", "column 1: a value is missing before '-'"},
		{"(a + b", "column 1: this parenthesis is not closed"},
		{"a + b)", "column 6: there is no '(' for this ')'"},
		{"a b", "column 3: an operator is missing before 'b'"},
		{"2 (a)", "column 3: an operator is missing"},
		{"a-b", "column 1: 'a-b' is no event: write a minus with blanks around it"},
		{"a + cache_miss",
		 "column 5: 'cache_miss' is no event above in this section: did you "
		 "mean cache-misses?"},
		{"elapsed_second", "did you mean elapsed_seconds?"},
		{"zzzzzzzzzz", "add a line 'event zzzzzzzzzz'"},
		{"a ^ 2", "column 3: an operator is missing before '^ 2'"},
		{"1.2.3", "column 1: '1.2.' is no number"},
		{"0x10", "column 1: '0x' is no number"},
		{"1e", "'1e' is no number"},
		{"\xc3\xa9", "column 1: a value is missing before"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct formula formula;
		char error[300] = "";

		ck_assert_msg(!formula_parse(cases[i].text, events, EVENTS, &formula, error,
					     sizeof error),
			      "'%s' was taken", cases[i].text);
		ck_assert_msg(strstr(error, cases[i].said) != NULL, "'%s': %s", cases[i].text,
			      error);
	}
}
END_TEST

START_TEST(limits_are_told)
{
	struct formula formula;
	char text[2000] = "", error[300];

	for (int i = 0; i < 100; i++)
		strcat(text, "(");
	ck_assert(!formula_parse(text, events, EVENTS, &formula, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "parentheses are open"));
	strcpy(text, "1");
	for (int i = 0; i < 100; i++)
		strcat(text, "+1");
	ck_assert(!formula_parse(text, events, EVENTS, &formula, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "more than 64 steps"));
	memset(text, '1', 200);
	text[200] = '\0';
	ck_assert(!formula_parse(text, events, EVENTS, &formula, error, sizeof error));
	memset(text, 'x', 200);
	ck_assert(!formula_parse(text, events, EVENTS, &formula, error, sizeof error));
	ck_assert_ptr_nonnull(strstr(error, "column 1: the name is longer"));
}
END_TEST

START_TEST(texts_that_do_not_fit_are_refused)
{
	struct formula formula = parse("a + b * 2"); /* "@7 @1 2 * +" has 11 characters */
	char text[12];

	ck_assert(formula_text(&formula, position, text, 12));
	for (size_t size = 1; size < 12; size++)
		ck_assert(!formula_text(&formula, position, text, size));
}
END_TEST

START_TEST(names_that_formulas_can_use)
{
	ck_assert(formula_is_name("loads_4") && formula_is_name("L1-misses"));
	ck_assert(!formula_is_name("4_loads") && !formula_is_name("a b") && !formula_is_name("") &&
		  !formula_is_name("a+b") && !formula_is_name("cpu_seconds"));
}
END_TEST

UNIT_MAIN("formula", postfix_order, values_are_those_of_arithmetic, errors_say_where_and_what,
	  limits_are_told, texts_that_do_not_fit_are_refused, names_that_formulas_can_use)
