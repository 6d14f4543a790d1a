/* SPDX-License-Identifier: MIT */
/* One test program per file: UNIT_MAIN("what", test, test, ...) at its end; UNIT_MAIN_WITH, if
 * something is to be made before each test, and removed after it (NULL: nothing). */
#pragma once

#include <check.h>
#include <stddef.h>

#define UNIT_MAIN(what, ...) UNIT_MAIN_WITH(NULL, NULL, what, __VA_ARGS__)

#define UNIT_MAIN_WITH(before, after, what, ...)                                                   \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = {__VA_ARGS__};                                        \
		TCase *all = tcase_create(what);                                                   \
		Suite *suite = suite_create(what);                                                 \
                                                                                                   \
		tcase_add_checked_fixture(all, before, after);                                     \
		for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)                          \
			tcase_add_test(all, tests[i]);                                             \
		suite_add_tcase(suite, all);                                                       \
		SRunner *runner = srunner_create(suite);                                           \
		srunner_run_all(runner, CK_NORMAL);                                                \
		int failed = srunner_ntests_failed(runner);                                        \
		srunner_free(runner);                                                              \
		return failed != 0;                                                                \
	}
