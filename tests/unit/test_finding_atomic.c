/* SPDX-License-Identifier: MIT */
/* CPU time at atomic instructions: whose it is, and when threads share it. */
#include "tests/unit/finding_tree.h"

static void make_atomic(struct tree *tree, size_t node)
{
	struct path_node *at = &tree->nodes[node];

	at->atomic = (struct path_atomic){.cpu_ns = at->self.cpu_ns,
					  .samples = at->self.samples,
					  .company_ns = at->self.cpu_ns,
					  .most_ns = at->self.cpu_ns / 2,
					  .most_thread = node,
					  .is_shared = true};
}

/* Two threads on two processors for a second: 0.8 s of their 2 s are atomic, in a leaf of `name` in
 * `module` below the program's routine `count`. */
static struct path_atomic *begin_tree(struct tree *tree, const char *name, const char *module)
{
	begin(&tree->scene);
	tree_begin(tree);
	size_t user = tree_add(tree, 0, "count", "/bin/program", 1200 * MS);
	size_t leaf = tree_add(tree, user, name, module, 800 * MS);

	make_atomic(tree, leaf);
	return &tree->nodes[leaf].atomic;
}

START_TEST(atomic_instructions_of_several_threads_are_found)
{
	struct tree tree;

	begin_tree(&tree, "add", "/bin/program");
	const struct finding *finding = find(&tree.scene, "atomics");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-6);
	ck_assert_double_eq_tol(finding->elapsed_percent, 40, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ASSERT_SAYS(finding,
		    "800 ms of CPU time at atomic instructions of several threads at once, "
		    "mostly in add");
	ck_assert_ptr_null(find(&tree.scene, "libc-locks"));
	end(&tree.scene);
}
END_TEST

/* gcc's own routines for old processors stand for the line that called them. */
START_TEST(outlined_instructions_are_the_callers)
{
	struct tree tree;

	begin_tree(&tree, "__aarch64_ldadd8_relax", "/bin/program");
	ASSERT_SAYS(find(&tree.scene, "atomics"), "mostly in count");
	end(&tree.scene);
}
END_TEST

START_TEST(those_of_one_thread_are_not)
{
	struct tree tree;
	struct path_atomic *atomic = begin_tree(&tree, "add", "/bin/program");

	atomic->most_ns = atomic->cpu_ns * 95 / 100;
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	atomic->most_ns = atomic->cpu_ns / 2;
	atomic->is_shared = false; /* threads of different processes */
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	atomic->is_shared = true;
	atomic->company_ns = 0; /* one thread after the other */
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	atomic->company_ns = 390 * MS; /* 19.5 % */
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	end(&tree.scene);
}
END_TEST

/* The first thread of a team comes from main, the others from where threads begin. */
START_TEST(threads_may_come_from_different_callers)
{
	struct tree tree;
	struct path_atomic *atomic = begin_tree(&tree, "add", "/bin/program");

	atomic->most_ns = atomic->cpu_ns;
	atomic->is_shared = false;
	tree.nodes[1].self.cpu_ns = 600 * MS;
	size_t other = tree_add(&tree, 0, "add", "/bin/program", 600 * MS);

	make_atomic(&tree, other);
	tree.nodes[other].atomic.is_shared = false;
	tree.nodes[other].atomic.most_ns = 600 * MS;
	ASSERT_SAYS(find(&tree.scene, "atomics"), "1.40 s of CPU time at atomic instructions");
	tree.nodes[other].atomic.process = 1; /* a process of its own */
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	end(&tree.scene);
}
END_TEST

START_TEST(locks_of_the_c_library_have_the_name_of_the_call)
{
	struct tree tree;
	struct path_atomic *atomic = begin_tree(&tree, "_IO_putc", LIBC);
	const struct finding *finding = find(&tree.scene, "libc-locks");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "800 ms of CPU time in the lock that stdio (fputc, fgetc, fputs, "
			     "fprintf) takes");
	ASSERT_SAYS(finding, "mostly in count");
	ASSERT_SAYS(finding, "no thread was seen to wait for another one");
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ck_assert_ptr_nonnull(strstr(finding->advice, "putc_unlocked"));
	ck_assert_ptr_nonnull(strstr(finding->advice, "__fsetlocking"));
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "count");
	ck_assert_ptr_null(find(&tree.scene, "atomics"));
	atomic->most_ns = atomic->cpu_ns;
	ck_assert_ptr_null(find(&tree.scene, "libc-locks"));
	end(&tree.scene);
	begin_tree(&tree, "strlen", LIBC); /* takes no lock */
	ck_assert_ptr_null(find(&tree.scene, "libc-locks"));
	end(&tree.scene);
}
END_TEST

/* Whoever is in the routine that waits for a lock has found it taken. */
START_TEST(waits_for_them_count)
{
	struct tree tree;

	begin_tree(&tree, "random", LIBC);
	tree.nodes[2].atomic = (struct path_atomic){0};
	ck_assert_ptr_null(find(&tree.scene, "libc-locks"));
	tree_add(&tree, 2, "__lll_lock_wait_private", LIBC, 600 * MS);
	const struct finding *finding = find(&tree.scene, "libc-locks");

	ASSERT_SAYS(finding, "600 ms of CPU time in the lock that rand or random takes");
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ck_assert_ptr_null(strstr(finding->evidence, "no thread was seen"));
	end(&tree.scene);
}
END_TEST

UNIT_MAIN("finding_atomic", atomic_instructions_of_several_threads_are_found,
	  outlined_instructions_are_the_callers, those_of_one_thread_are_not,
	  threads_may_come_from_different_callers, locks_of_the_c_library_have_the_name_of_the_call,
	  waits_for_them_count)
