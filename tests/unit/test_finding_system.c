/* SPDX-License-Identifier: MIT */
/* What the kernel is asked for: processors of threads, priorities, maps of memory, copies of
 * processes. */
#include "tests/unit/finding_tree.h"

/* ---- processors */

/* Both workers were ready for half of their lives. */
static void begin_bound(struct scene *scene, uint64_t processors)
{
	begin(scene);
	make_idle(scene);
	scene->process.elapsed_ns = SECOND;
	scene->run.ready_ns = scene->process.ready_ns = SECOND;
	scene->file.process.processors_online = 2;
	scene->threads[0].by_cause_ns[CAUSE_JOIN] = SECOND;
	for (size_t i = 0; i < ROWS; i++) {
		scene->threads[i].role = i ? "play" : NULL;
		scene->threads[i].ready_ns = i ? SECOND / 2 : 0;
		scene->rows[i].processors = processors;
		scene->rows[i].processor_first = 1;
	}
}

START_TEST(threads_on_one_processor_are_found)
{
	struct scene scene;

	begin_bound(&scene, 1);
	const struct finding *finding = find(&scene, "bound-threads");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_PROBLEM);
	ASSERT_SAYS(finding, "2 threads (play) may run on processor 0 only, of 2 that the process");
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-6);
	ck_assert_ptr_null(told_finding("oversubscription"));
	ck_assert_ptr_null(told_finding("bound-run"));
	end(&scene);
}
END_TEST

START_TEST(threads_on_a_processor_each_are_not)
{
	struct scene scene;

	begin_bound(&scene, 1);
	scene.rows[2].processor_first = 2;
	ck_assert_ptr_null(find(&scene, "bound-threads"));
	end(&scene);
	begin_bound(&scene, 2);
	ck_assert_ptr_null(find(&scene, "bound-threads"));
	end(&scene);
	begin_bound(&scene, 0); /* not known */
	ck_assert_ptr_null(find(&scene, "bound-threads"));
	end(&scene);
}
END_TEST

/* They were ready for all of three seconds, but ran for 0.2 s: others of the group explain no
 * more. */
START_TEST(others_explain_the_rest_of_ready_time)
{
	struct scene scene;

	begin_bound(&scene, 1);
	for (size_t i = 1; i < ROWS; i++) {
		scene.threads[i].user_ns = 100 * MS;
		scene.threads[i].ready_ns = 900 * MS;
	}
	scene.run.ready_ns = 1800 * MS;
	scene.run.cpu_ns = 200 * MS;
	ASSERT_SAYS(find(&scene, "bound-threads"), "ready for 200 ms while others of them ran");
	end(&scene);
}
END_TEST

/* Both on one processor, which wait for each other so often. */
static void begin_meeting(struct scene *scene, enum cause cause, uint64_t switches)
{
	begin_bound(scene, 1);
	for (size_t i = 1; i < ROWS; i++) {
		scene->threads[i].ready_ns = scene->threads[i].blocked_ns = SECOND / 4;
		scene->threads[i].by_cause_ns[cause] = SECOND / 4;
		scene->rows[i].voluntary_switches = switches;
	}
	scene->run.ready_ns = SECOND / 2;
}

/* Who posts a semaphore loses the processor to whom it wakes there and then, and is ready until the
 * other one waits in its turn: of two threads that hand on to each other none could run sooner. */
START_TEST(turns_on_one_processor_are_no_loss)
{
	struct scene scene;

	begin_meeting(&scene, CAUSE_SEMAPHORE, 100);
	ck_assert_ptr_null(find(&scene, "bound-threads"));
	ck_assert_ptr_null(told_finding("oversubscription"));
	scene.file.process.processors = scene.run.processors = 1;
	ck_assert_ptr_null(find(&scene, "bound-run"));
	/* ten turns explain 240 ms of it, at most */
	scene.file.process.processors = scene.run.processors = 2;
	scene.rows[1].voluntary_switches = scene.rows[2].voluntary_switches = 10;
	ASSERT_SAYS(find(&scene, "bound-threads"), "ready for 260 ms while others of them ran");
	end(&scene);
}
END_TEST

/* At a barrier all meet: what is between two of them they could do at once. */
START_TEST(barriers_on_one_processor_are)
{
	struct scene scene;

	begin_meeting(&scene, CAUSE_BARRIER, 1000);
	ASSERT_SAYS(find(&scene, "bound-threads"), "ready for 480 ms while others of them ran");
	end(&scene);
}
END_TEST

START_TEST(a_run_on_one_processor_is_its_starters)
{
	struct scene scene;

	begin_bound(&scene, 1);
	scene.file.process.processors = scene.run.processors = 1;
	const struct finding *finding = find(&scene, "bound-run");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-6);
	ck_assert_ptr_null(told_finding("bound-threads"));
	scene.file.process.processors_online = 1;
	ck_assert_ptr_null(find(&scene, "bound-run"));
	end(&scene);
}
END_TEST

/* ---- priorities */

/* One of two waits 0.4 s for what the other one posts, which is ready for that time. */
static void begin_low(struct tree *tree, struct sync_site *blamed, uint64_t nice)
{
	struct scene *scene = &tree->scene;

	begin(scene);
	make_idle(scene);
	tree_begin(tree);
	size_t feed = tree_add(tree, 0, "feed", "/bin/program", 0);
	size_t post = tree_add(tree, feed, "post", "/bin/program", 100 * MS);

	make_wait(scene, OP_SEM_WAIT, CAUSE_SEMAPHORE, 40, 400 * MS);
	*blamed = (struct sync_site){.routine = tree->nodes[post].routine, .time_ns = 400 * MS};
	scene->syncs[0].blame.rows = blamed;
	scene->syncs[0].blame.count = 1;
	block(scene, 2, CAUSE_SEMAPHORE, 400 * MS);
	scene->threads[1].ready_ns = 400 * MS;
	scene->run.ready_ns = 400 * MS;
	for (size_t i = 1; i < ROWS; i++) {
		scene->threads[i].role = i == 1 ? "feed" : "deal";
		scene->rows[i].policy = 1;
		scene->rows[i].nice = i == 1 ? nice : 21;
	}
}

START_TEST(a_nice_thread_that_others_wait_for_is_found)
{
	struct tree tree;
	struct sync_site blamed;

	begin_low(&tree, &blamed, 40);
	const struct finding *finding = find(&tree.scene, "low-priority");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "thread 11 (feed) has nice 19");
	ASSERT_SAYS(finding, "ready for 400 ms longer");
	ASSERT_SAYS(finding, "others waited 400 ms");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "feed");
	ck_assert_double_gt(finding->elapsed_percent, 20);
	end(&tree.scene);
}
END_TEST

START_TEST(one_that_is_not_nice_or_waited_for_is_not)
{
	struct tree tree;
	struct sync_site blamed;

	begin_low(&tree, &blamed, 21);
	ck_assert_ptr_null(find(&tree.scene, "low-priority"));
	tree.scene.rows[1].policy = 6; /* SCHED_IDLE, whatever its nice value */
	ASSERT_SAYS(find(&tree.scene, "low-priority"), "has SCHED_IDLE");
	blamed.routine = names_special(tree.scene.run.names, "work");
	ck_assert_ptr_null(find(&tree.scene, "low-priority"));
	end(&tree.scene);
	begin_low(&tree, &blamed, 40);
	/* the other one was ready as long for the same CPU time */
	tree.scene.threads[2].ready_ns = 400 * MS;
	ck_assert_ptr_null(find(&tree.scene, "low-priority"));
	end(&tree.scene);
}
END_TEST

/* ---- memory */

/* 0.1 s of samples in munmap, 0.2 s of page faults, and 0.5 s blocked of each of two threads. */
static void begin_maps(struct tree *tree, const char *call)
{
	begin(&tree->scene);
	make_idle(&tree->scene);
	tree_begin(tree);
	for (size_t i = 1; i < ROWS; i++) {
		block(&tree->scene, i, CAUSE_OTHER, SECOND / 2);
		tree->scene.rows[i].voluntary_switches = 5000;
	}
	tree->scene.process.sum.system_ns = 800 * MS;
	tree->scene.process.memory_peak_bytes = 4096 * 1000;
	tree->scene.process.minor_faults = 201000;
	size_t user = tree_add(tree, 0, "build", "/bin/program", 800 * MS);
	size_t caller = tree_add(tree, user, "free", LIBC, 0);

	tree_add(tree, caller, call, LIBC, 100 * MS);
}

START_TEST(memory_that_goes_to_and_fro_is_found)
{
	struct tree tree;

	begin_maps(&tree, "__GI___munmap");
	const struct finding *finding = find(&tree.scene, "memory-maps");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "100 ms of CPU time in mmap");
	ASSERT_SAYS(finding, "mostly called from build");
	ASSERT_SAYS(finding, "200 ms in 200000 page faults");
	ASSERT_SAYS(finding, "1.00 s blocked");
	/* 0.7 of 1 s used are left */
	ck_assert_double_eq_tol(finding->elapsed_percent, 65, 1e-6);
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "build");
	ck_assert_ptr_null(told_finding("blocked"));
	end(&tree.scene);
}
END_TEST

START_TEST(first_faults_and_other_calls_are_not)
{
	struct tree tree;

	begin_maps(&tree, "read");
	ck_assert_ptr_null(find(&tree.scene, "memory-maps"));
	ck_assert_ptr_nonnull(told_finding("blocked"));
	end(&tree.scene);
	begin_maps(&tree, "munmap");
	tree.scene.process.memory_peak_bytes = 4096ull * 201000;
	ASSERT_SAYS(find(&tree.scene, "memory-maps"), "0 s in 0 page faults");
	tree.nodes[3].self.samples = 9;
	ck_assert_ptr_null(find(&tree.scene, "memory-maps"));
	end(&tree.scene);
}
END_TEST

static void begin_forks(struct tree *tree, uint64_t memory_bytes)
{
	begin(&tree->scene);
	tree_begin(tree);
	tree->scene.process.sum.system_ns = 500 * MS;
	tree->scene.process.memory_peak_bytes = memory_bytes;
	tree->scene.process.minor_faults = memory_bytes / 4096 + 100000;
	size_t user = tree_add(tree, 0, "serve", "/bin/program", 400 * MS);

	tree_add(tree, user, "__libc_fork", LIBC, 300 * MS);
	size_t wrapper = tree_add(tree, user, NAMES_PROFILER, "", 0);

	tree_add(tree, tree_add(tree, wrapper, "fork", LIBC, 0), NAMES_PROFILER, "", 400 * MS);
}

START_TEST(copies_of_a_large_process_are_found)
{
	struct tree tree;

	begin_forks(&tree, 1ull << 28);
	const struct finding *finding = find(&tree.scene, "fork-copies");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "300 ms of CPU time in 75 forks, mostly called from serve");
	ASSERT_SAYS(finding, "256 MiB");
	ASSERT_SAYS(finding, "100 ms in 100000 page faults");
	/* 0.4 of 2 s of CPU time */
	ck_assert_double_eq_tol(finding->elapsed_percent, 20, 1e-6);
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "serve");
	end(&tree.scene);
}
END_TEST

START_TEST(few_copies_or_small_ones_are_not)
{
	struct tree tree;

	begin_forks(&tree, 1ull << 24);
	ck_assert_ptr_null(find(&tree.scene, "fork-copies"));
	end(&tree.scene);
	begin_forks(&tree, 1ull << 28);
	tree.nodes[2].self.samples = 9;
	ck_assert_ptr_null(find(&tree.scene, "fork-copies"));
	end(&tree.scene);
}
END_TEST

UNIT_MAIN("finding_system", threads_on_one_processor_are_found, threads_on_a_processor_each_are_not,
	  others_explain_the_rest_of_ready_time, turns_on_one_processor_are_no_loss,
	  barriers_on_one_processor_are, a_run_on_one_processor_is_its_starters,
	  a_nice_thread_that_others_wait_for_is_found, one_that_is_not_nice_or_waited_for_is_not,
	  memory_that_goes_to_and_fro_is_found, first_faults_and_other_calls_are_not,
	  copies_of_a_large_process_are_found, few_copies_or_small_ones_are_not)
