/* SPDX-License-Identifier: MIT */
/* One test program per file: UNIT_MAIN("what", test, test, ...) at its end. */
#pragma once

#include <check.h>
#include <stddef.h>

#define UNIT_MAIN(what, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = {__VA_ARGS__};                                        \
		TCase *all = tcase_create(what);                                                   \
		Suite *suite = suite_create(what);                                                 \
                                                                                                   \
		for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)                          \
			tcase_add_test(all, tests[i]);                                             \
		suite_add_tcase(suite, all);                                                       \
		SRunner *runner = srunner_create(suite);                                           \
		srunner_run_all(runner, CK_NORMAL);                                                \
		int failed = srunner_ntests_failed(runner);                                        \
		srunner_free(runner);                                                              \
		return failed != 0;                                                                \
	}
