/* SPDX-License-Identifier: MIT */
/* What calls cost: by samples, where there are enough of them; else at fixed prices. */
#include "tests/unit/finding_tree.h"

/* A routine of the program that calls one of the C library, which has so much of the 2 s. */
static size_t begin_call(struct tree *tree, const char *call, uint64_t cpu_ns)
{
	begin(&tree->scene);
	tree_begin(tree);
	size_t user = tree_add(tree, 0, "build", "/bin/program", 2 * SECOND - cpu_ns);

	return tree_add(tree, user, call, LIBC, cpu_ns);
}

/* 100000 reads of 16 bytes; 0.4 s of system time. */
static void make_reads(struct tree *tree)
{
	static struct io_caller caller;

	caller = (struct io_caller){.routine = tree->scene.site.routine,
				    .sums = {100000, 1600000, 0}};
	tree->scene.syncs[0] = (struct sync_row){.operation = OP_READ,
						 .count = 100000,
						 .io = {100000, 1600000, 0},
						 .callers = {.rows = &caller, .count = 1}};
	tree->scene.objects[0].kind = "file";
	if (!tree->scene.run.synchronization.count)
		tree->scene.run.synchronization.count = 1;
	tree->scene.process.sum.system_ns = 400 * MS;
}

static double small_io(struct tree *tree)
{
	const struct finding *finding = find(&tree->scene, "small-io");

	return finding ? finding->elapsed_percent : 0;
}

/* 1.8 of 2 s are in read, which at 0.5 us a call would be 0.05 s. */
START_TEST(small_reads_cost_what_samples_say)
{
	static const char *const names[] = {"read", "__libc_read", "__GI___libc_read",
					    "__read_nocancel"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tree tree;

		memset(&tree, 0, sizeof tree);
		begin_call(&tree, names[i], 1800 * MS);
		make_reads(&tree);
		/* but for those that would do with 4 KiB each */
		ck_assert_double_eq_tol(small_io(&tree), 90 * (1 - 16 / 4096.), 1e-6);
		ck_assert_str_eq(step(told_finding("small-io"), FINDING_ROUTINE)->name, "work");
		end(&tree.scene);
	}
}
END_TEST

/* The same of what stdio calls, if the small calls are stdio's. */
START_TEST(small_flushes_cost_what_samples_in_stdio_say)
{
	struct tree tree;

	memset(&tree, 0, sizeof tree);
	tree_add(&tree, begin_call(&tree, "_IO_new_file_sync", 0), "write", LIBC, 1800 * MS);
	make_reads(&tree);
	tree.scene.syncs[0].operation = OP_FFLUSH;
	ck_assert_double_eq_tol(small_io(&tree), 90 * (1 - 16 / 4096.), 1e-6);
	end(&tree.scene);
	/* write called by the program itself is none of them */
	memset(&tree, 0, sizeof tree);
	begin_call(&tree, "write", 1800 * MS);
	make_reads(&tree);
	tree.scene.syncs[0].operation = OP_FFLUSH;
	ck_assert_double_lt(small_io(&tree), 10);
	end(&tree.scene);
}
END_TEST

/* And of reads beside large messages of sockets, whose calls have other names. */
START_TEST(small_reads_cost_what_samples_say_beside_large_messages)
{
	struct tree tree;

	memset(&tree, 0, sizeof tree);
	begin_call(&tree, "read", 1600 * MS);
	tree_add(&tree, 1, "__libc_send", LIBC, 200 * MS);
	tree.scene.syncs[1] = (struct sync_row){
		.operation = OP_SEND, .object = 1, .count = 100000, .io = {100000, 1 << 30, 0}};
	tree.scene.objects[1].kind = "socket";
	tree.scene.run.synchronization.count = 2;
	make_reads(&tree);
	ck_assert_double_eq_tol(small_io(&tree), 80 * (1 - 16 / 4096.), 1e-6);
	end(&tree.scene);
}
END_TEST

static void check_fixed(struct tree *tree)
{
	make_reads(tree);
	tree->scene.syncs[0].io.calls = 400000; /* at 0.5 us 0.2 s */
	tree->scene.syncs[0].io.bytes = 6400000;
	ck_assert_double_eq_tol(small_io(tree), 10 * (1 - 16 / 4096.), 1e-6);
	end(&tree->scene);
}

START_TEST(samples_elsewhere_say_nothing_of_it)
{
	static const char *const names[] = {"fread", "pthread_create", "poll", "readdir"};
	struct tree tree;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		memset(&tree, 0, sizeof tree);
		begin_call(&tree, names[i], 1800 * MS);
		check_fixed(&tree);
	}
	/* few samples */
	memset(&tree, 0, sizeof tree);
	begin_call(&tree, "read", 100 * MS);
	check_fixed(&tree);
	/* stdio's own reads */
	memset(&tree, 0, sizeof tree);
	tree_add(&tree, begin_call(&tree, "_IO_file_read", 0), "read", LIBC, 1800 * MS);
	check_fixed(&tree);
	/* and large ones beside them, which samples do not tell apart */
	memset(&tree, 0, sizeof tree);
	begin_call(&tree, "read", 1800 * MS);
	tree.scene.syncs[1] = (struct sync_row){
		.operation = OP_PREAD, .object = 1, .count = 1000, .io = {1000, 1 << 30, 0}};
	tree.scene.objects[1].kind = "file";
	tree.scene.run.synchronization.count = 2;
	check_fixed(&tree);
}
END_TEST

/* 1000 threads at 25 us are 25 ms; but 1 s of samples is in pthread_create, and 0.5 s where threads
 * begin and end. */
START_TEST(short_threads_cost_what_samples_say)
{
	struct tree tree;

	memset(&tree, 0, sizeof tree);
	size_t call = begin_call(&tree, "pthread_create", 200 * MS);

	tree_add(&tree, call, "mprotect", LIBC, 800 * MS);
	tree_add(&tree, tree_add(&tree, 0, "start_thread", LIBC, 0), "munmap", LIBC, 500 * MS);
	tree.scene.rows[1].lives = 1000;
	tree.scene.threads[1].lifetime_ns = 500 * MS;
	const struct finding *finding = find(&tree.scene, "short-threads");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "about 1.50 s, 1.50 ms each");
	ck_assert_double_eq_tol(finding->elapsed_percent, 75, 1e-6);
	end(&tree.scene);
}
END_TEST

UNIT_MAIN("finding_sampled", small_reads_cost_what_samples_say,
	  small_flushes_cost_what_samples_in_stdio_say,
	  small_reads_cost_what_samples_say_beside_large_messages,
	  samples_elsewhere_say_nothing_of_it, short_threads_cost_what_samples_say)
