/* SPDX-License-Identifier: MIT */
/* The lock of malloc and free: which samples are taken for it, and how much of the blocked time. */
#include "tests/unit/finding_tree.h"

/* Two threads, each on a processor for half of the time, blocked for nobody knows what for the rest
 * of it; 0.1 s of samples are in the lock of malloc, called by `lock_caller`. */
static void begin_tree(struct tree *tree, const char *lock_caller)
{
	begin(&tree->scene);
	make_idle(&tree->scene);
	tree_begin(tree);
	for (size_t i = 1; i < ROWS; i++) {
		block(&tree->scene, i, CAUSE_OTHER, SECOND / 2);
		tree->scene.rows[i].voluntary_switches = 5000;
	}
	size_t user = tree_add(tree, 0, "build", "/bin/program", 800 * MS);
	size_t caller = tree_add(tree, user, lock_caller, LIBC, 0);
	size_t lock = tree_add(tree, caller, "__lll_lock_wait_private", LIBC, 40 * MS);

	tree_add(tree, lock, "futex_wait", LIBC, 60 * MS);
}

START_TEST(waits_below_malloc_are_found)
{
	struct tree tree;

	begin_tree(&tree, "malloc");
	const struct finding *finding = find(&tree.scene, "allocator");

	ck_assert_ptr_nonnull(finding);
	/* of 1 s used 0.9 s are left: in 1.1 of 2 s of the processors they take 0.45 s */
	ck_assert_double_eq_tol(finding->elapsed_percent, 55, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "about 1.10 s of waiting");
	ASSERT_SAYS(finding,
		    "mostly in build: 100 ms of CPU time inside of the lock and 1.00 s blocked");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "build");
	end(&tree.scene);
}
END_TEST

/* Streams of the C library have such locks as well. */
START_TEST(waits_below_other_calls_are_not)
{
	struct tree tree;

	begin_tree(&tree, "fputs");
	ck_assert_ptr_null(find(&tree.scene, "allocator"));
	end(&tree.scene);
	begin_tree(&tree, "malloc");
	tree.nodes[2].routine = names_number(tree.scene.run.names, "malloc", "/bin/program", NULL);
	ck_assert_ptr_null(find(&tree.scene, "allocator")); /* a routine of the user's */
	end(&tree.scene);
}
END_TEST

/* 0.1 s of samples in the lock, 0.3 s in read: a quarter of what was blocked. */
START_TEST(blocked_time_is_shared_with_other_calls)
{
	struct tree tree;

	begin_tree(&tree, "free");
	tree_add(&tree, 1, "__libc_read", LIBC, 300 * MS);
	ASSERT_SAYS(find(&tree.scene, "allocator"), "and 250 ms blocked");
	tree.nodes[5].self.cpu_ns = 0;
	ASSERT_SAYS(find(&tree.scene, "allocator"), "and 1.00 s blocked");
	end(&tree.scene);
}
END_TEST

/* Blocked a hundred times only, for 5 ms each: that was for something else, 1 ms at most. */
START_TEST(long_blocks_are_no_waits_for_the_lock)
{
	struct tree tree;

	begin_tree(&tree, "malloc");
	tree.scene.rows[1].voluntary_switches = tree.scene.rows[2].voluntary_switches = 100;
	ASSERT_SAYS(find(&tree.scene, "allocator"), "and 200 ms blocked");
	end(&tree.scene);
}
END_TEST

/* What malloc takes itself is saved as well; with hardly any waits it is another matter. */
START_TEST(the_allocator_itself_counts_where_it_is_waited_for)
{
	struct tree tree;

	begin_tree(&tree, "malloc");
	tree_add(&tree, 2, "_int_malloc", LIBC, 500 * MS);
	tree.nodes[1].self.cpu_ns = 300 * MS;
	for (size_t i = 1; i < ROWS; i++)
		tree.scene.threads[i].by_cause_ns[CAUSE_OTHER] = 0;
	const struct finding *finding = find(&tree.scene, "allocator");

	ASSERT_SAYS(finding, "0 s blocked; malloc and free themselves took 500 ms");
	/* 0.6 of 1 s of CPU time */
	ck_assert_double_eq_tol(finding->elapsed_percent, 60, 1e-6);
	tree.nodes[5].self.cpu_ns = 2100 * MS;
	ck_assert_ptr_null(find(&tree.scene, "allocator"));
	end(&tree.scene);
}
END_TEST

START_TEST(few_samples_say_nothing)
{
	struct tree tree;

	begin_tree(&tree, "malloc");
	tree.nodes[3].self.samples = 0;
	tree.nodes[4].self.samples = 9;
	ck_assert_ptr_null(find(&tree.scene, "allocator"));
	tree.nodes[4].self.samples = 10;
	ck_assert_ptr_nonnull(find(&tree.scene, "allocator"));
	tree.scene.run.paths.count = 0;
	ck_assert_ptr_null(find(&tree.scene, "allocator"));
	end(&tree.scene);
}
END_TEST

UNIT_MAIN("finding_allocator", waits_below_malloc_are_found, waits_below_other_calls_are_not,
	  blocked_time_is_shared_with_other_calls, long_blocks_are_no_waits_for_the_lock,
	  the_allocator_itself_counts_where_it_is_waited_for, few_samples_say_nothing)
