/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/path_tree.h"
#include "analyze/model/sync/sync_pairs.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

static const char *name_of(const struct run *run, size_t node)
{
	return names_routine(run->names, run->paths.nodes[node].routine)->name;
}

/* The node that ends such a path: names outermost first, NULL behind the last. */
static size_t find_node(const struct run *run, const char *const *path)
{
	size_t node = 0;

	for (; *path; path++) {
		size_t next = 1;

		while (next < run->paths.count && (run->paths.nodes[next].parent != node ||
						   strcmp(name_of(run, next), *path) != 0))
			next++;
		ck_assert_msg(next < run->paths.count, "no %s", *path);
		node = next;
	}
	return node;
}

static struct path_figures sum_of(const struct path_tree *tree)
{
	struct path_figures *totals = path_tree_totals(tree), sum = totals[0];

	free(totals);
	return sum;
}

static uint64_t waits_of(const struct run *run)
{
	uint64_t ns = 0;

	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		ns += run->synchronization.wait_ns_by_cause[cause];
	return ns;
}

static void check_scene(const char *name)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, name);
	struct path_tree folded = path_tree_fold_lines(&run->paths);
	struct path_figures sum = sum_of(&run->paths), again = sum_of(&folded);
	uint64_t alone_ns = 0;

	for (size_t i = 0; i < run->paths.count; i++) {
		ck_assert_uint_le(run->paths.nodes[i].parent, i ? i - 1 : 0);
		alone_ns += run->paths.nodes[i].self.alone_ns;
	}
	ck_assert_uint_eq(sum.cpu_ns, run->cpu_ns);
	ck_assert_uint_eq(sum.wait_ns, waits_of(run));
	ck_assert_uint_eq(sum.alone_ns, alone_ns);
	ck_assert_uint_eq(again.cpu_ns, sum.cpu_ns);
	ck_assert_uint_eq(again.wait_ns, sum.wait_ns);
	ck_assert_uint_le(folded.count, run->paths.count);
	path_tree_clear(&folded);
	scene_run_clear(&scene);
}

START_TEST(nothing_of_the_cpu_time_and_of_the_waits_is_lost)
{
	check_scene("workers");
	check_scene("single");
	check_scene("killed");
	check_scene("parent");
}
END_TEST

START_TEST(a_wait_is_a_leaf_below_the_code_that_waited)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	size_t leaf = 0;

	for (size_t i = 0; i < run->paths.count; i++)
		if (run->paths.nodes[i].kind == PATH_WAIT)
			leaf = i;
	ck_assert_str_eq(name_of(run, leaf), "[mutex queue_lock]");
	ck_assert_uint_eq(run->paths.nodes[leaf].self.wait_ns, 500 * MS);
	ck_assert_uint_eq(run->paths.nodes[leaf].self.waits, 5);
	ck_assert_uint_eq(run->paths.nodes[leaf].self.cpu_ns, 0);
	ck_assert(leaf && run->paths.nodes[leaf].parent);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(without_being_asked_for_there_is_no_tree)
{
	static const char *const names[] = {"workers", NULL};
	struct scene_run scene;

	scene_run_read(&scene, names);
	scene_run_model(&scene, 0);
	ck_assert_uint_eq(scene.run->paths.count, 0);
	scene_run_clear(&scene);
}
END_TEST

/* Two lines of one routine, and a routine that is its own caller. */
static void tell_lines(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads thread = {.tid = 1, .user_ns = 100};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t row = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);
	uint32_t outer = builder_callpath(builder, 0, 1, 0x1020);
	uint32_t first = builder_callpath(builder, outer, 1, 0x2010);
	uint32_t second = builder_callpath(builder, outer, 1, 0x2020);
	struct row_samples samples[] = {
		{.callpath = first, .level = 1, .cpu_ns = 30, .count = 1},
		{.callpath = second, .level = 2, .cpu_ns = 50, .count = 2},
	};

	for (size_t i = 0; i < 2; i++)
		builder_add(builder, TABLE_samples, row, &samples[i]);
}

START_TEST(lines_are_nodes_until_they_are_folded)
{
	static const char *const path[] = {"main", "worker", NULL};
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_lines, RUN_PATHS);
	struct path_tree folded = path_tree_fold_lines(&run->paths);
	size_t node = find_node(run, path);

	/* root, main, two lines of worker, [unsampled] */
	ck_assert_uint_eq(run->paths.count, 5);
	ck_assert_uint_eq(folded.count, 4);
	ck_assert_uint_eq(run->paths.nodes[node].self.cpu_ns, 30);
	ck_assert_uint_eq(run->paths.nodes[node].self.alone_ns, 30);
	ck_assert_uint_eq(sum_of(&run->paths).cpu_ns, 100);
	ck_assert_uint_eq(sum_of(&folded).alone_ns, 30);
	ck_assert_uint_eq(sum_of(&folded).samples, 3);
	path_tree_clear(&folded);
	scene_run_clear(&scene);
}
END_TEST

/* A path that no program has: a place calls itself ten thousand times. */
static void tell_depth(struct builder *builder)
{
	struct row_modules module = {.start = 1, .path = builder_text(builder, "program")};
	struct row_threads thread = {.tid = 1, .user_ns = 100};
	uint32_t path = 0;

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	uint32_t row = builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &thread);

	for (unsigned i = 0; i < 10000; i++)
		path = builder_callpath(builder, path, 1, 0x2010);
	struct row_samples sample = {.callpath = path, .level = 1, .cpu_ns = 100, .count = 1};

	builder_add(builder, TABLE_samples, row, &sample);
}

START_TEST(no_path_is_deeper_than_the_bound)
{
	struct scene_run scene;
	struct run *run = scene_run_told(&scene, tell_depth, RUN_PATHS);
	size_t last = run->paths.count - 1;

	ck_assert_uint_eq(run->paths.nodes[last].depth, PATH_DEPTH_MAX);
	ck_assert_uint_eq(run->paths.nodes[last].self.cpu_ns, 100);
	ck_assert_uint_eq(run->paths.count, PATH_DEPTH_MAX + 1);
	scene_run_clear(&scene);
}
END_TEST

/* ---- holder and victim */

struct told {
	struct sync_pairs_accumulator *accumulator;
	struct symbolizer *symbolizer;
	struct names *names;
};

static struct told begin(void)
{
	struct told told = {.symbolizer = symbolizer_create(NULL)};

	told.names = names_create(told.symbolizer);
	told.accumulator = sync_pairs_create(told.names);
	return told;
}

static size_t routine(const struct told *told, const char *name)
{
	return names_number(told->names, name, "program", NULL);
}

static void note(const struct told *told, enum sync_side side, size_t thread, const char *name,
		 uint64_t ns)
{
	struct sync_share share = {thread, 0, routine(told, name), 1, ns};

	sync_pairs_note(told->accumulator, side, &share);
}

static uint64_t pair_ns(const struct told *told, const struct sync_pairs *pairs, const char *holder,
			const char *victim, enum grade grade)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->rows[i].holder == routine(told, holder) &&
		    pairs->rows[i].victim == routine(told, victim)) {
			ck_assert_int_eq(pairs->rows[i].grade, grade);
			return pairs->rows[i].time_ns;
		}
	return 0;
}

static void end(struct told *told, struct sync_pairs *pairs)
{
	free(pairs->rows);
	sync_pairs_destroy(told->accumulator);
	names_destroy(told->names);
	symbolizer_destroy(told->symbolizer);
}

START_TEST(one_place_that_waited_makes_pairs_exact)
{
	struct told told = begin();

	note(&told, SYNC_VICTIM, 1, "reader", 100);
	note(&told, SYNC_HOLDER, 1, "writer", 60);
	note(&told, SYNC_HOLDER, 1, "cleaner", 40);
	note(&told, SYNC_VICTIM, 2, "other", 7);
	note(&told, SYNC_HOLDER, 2, "writer", 7);
	sync_pairs_close(told.accumulator);
	struct sync_pairs pairs = sync_pairs_take(told.accumulator, 0);

	ck_assert_uint_eq(pairs.count, 3);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "reader", GRADE_EXACT), 60);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "cleaner", "reader", GRADE_EXACT), 40);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "other", GRADE_EXACT), 7);
	ck_assert_uint_eq(pairs.rows[0].time_ns, 60);
	end(&told, &pairs);
}
END_TEST

START_TEST(several_of_both_are_shared_out_and_the_margins_stay)
{
	struct told told = begin();

	note(&told, SYNC_VICTIM, 1, "reader", 300);
	note(&told, SYNC_VICTIM, 1, "reader", 450);
	note(&told, SYNC_VICTIM, 1, "scanner", 250);
	note(&told, SYNC_HOLDER, 1, "writer", 600);
	note(&told, SYNC_HOLDER, 1, "cleaner", 400);
	sync_pairs_close(told.accumulator);
	struct sync_pairs pairs = sync_pairs_take(told.accumulator, 0);

	ck_assert_uint_eq(pairs.count, 4);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "reader", GRADE_ESTIMATED), 450);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "scanner", GRADE_ESTIMATED), 150);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "cleaner", "reader", GRADE_ESTIMATED), 300);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "cleaner", "scanner", GRADE_ESTIMATED), 100);
	end(&told, &pairs);
}
END_TEST

/* A joined thread charges in its own name what its joiner waited for. */
START_TEST(what_another_thread_charges_is_not_lost)
{
	struct told told = begin();

	note(&told, SYNC_VICTIM, 1, "reader", 100);
	note(&told, SYNC_HOLDER, 1, "cleaner", 30);
	note(&told, SYNC_HOLDER, 2, "writer", 50);
	note(&told, SYNC_HOLDER, 3, "writer", 20);
	sync_pairs_close(told.accumulator);
	struct sync_pairs pairs = sync_pairs_take(told.accumulator, 0);

	ck_assert_uint_eq(pairs.count, 2);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "cleaner", "reader", GRADE_EXACT), 30);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "reader", GRADE_EXACT), 70);
	end(&told, &pairs);
	told = begin();
	note(&told, SYNC_VICTIM, 1, "reader", 75);
	note(&told, SYNC_VICTIM, 2, "scanner", 25);
	note(&told, SYNC_HOLDER, 3, "writer", 100);
	sync_pairs_close(told.accumulator);
	pairs = sync_pairs_take(told.accumulator, 0);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "reader", GRADE_ESTIMATED), 75);
	ck_assert_uint_eq(pair_ns(&told, &pairs, "writer", "scanner", GRADE_ESTIMATED), 25);
	end(&told, &pairs);
}
END_TEST

START_TEST(too_many_pairs_become_one_and_lose_no_time)
{
	struct told told = begin();
	uint64_t sum = 0;

	for (size_t i = 0; i < SYNC_PAIRS_MAX + 100; i++) {
		struct sync_pair pair = {.holder = routine(&told, "writer"),
					 .victim = routine(&told, "reader"),
					 .victim_line = (unsigned)i,
					 .time_ns = 3};

		sync_pairs_add(told.accumulator, &pair);
	}
	struct sync_pairs pairs = sync_pairs_take(told.accumulator, 0);

	for (size_t i = 0; i < pairs.count; i++)
		sum += pairs.rows[i].time_ns;
	ck_assert_uint_eq(pairs.count, SYNC_PAIRS_MAX);
	ck_assert_uint_eq(sum, 3 * (SYNC_PAIRS_MAX + 100));
	end(&told, &pairs);
}
END_TEST

START_TEST(a_run_knows_who_kept_whom_waiting)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");
	const struct sync_pairs *pairs = &run->synchronization.rows[0].pairs;

	ck_assert_uint_eq(pairs->count, 1);
	ck_assert_str_eq(names_routine(run->names, pairs->rows[0].holder)->name, "holder");
	ck_assert_str_eq(names_routine(run->names, pairs->rows[0].victim)->name, "worker");
	ck_assert_uint_eq(pairs->rows[0].time_ns, run->synchronization.rows[0].wait_ns);
	scene_run_clear(&scene);
}
END_TEST

/* By event and routine: what the routines have, a node being a routine at a line. */
START_TEST(counts_of_nodes_add_up_to_the_routines)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "counted");
	const struct path_counts *counts = run->paths.counts;
	const struct counter_places *routines = &run->counters.of[COUNTER_ROUTINE];

	for (size_t event = 1; event < run->counters.limit; event++)
		for (size_t i = 0; i < routines->count; i++) {
			const struct counter_sum *wanted =
				counter_place_sum(routines->rows[i], event, COUNTER_SELF);
			struct counter_sum sum = {0};

			for (size_t k = 0; k < path_counts_count(counts); k++) {
				const struct path_count *count = path_counts_at(counts, k);

				if (count->event == run->counters.rows[event].name &&
				    run->paths.nodes[count->node].routine == routines->rows[i]->a)
					counter_sum_add(&sum, &(struct counter_sum){
								      count->count, count->scaled,
								      count->samples});
			}
			ck_assert_uint_eq(sum.count, wanted->count);
			ck_assert_uint_eq(sum.samples, wanted->samples);
			ck_assert_double_eq_tol(sum.scaled, wanted->scaled,
						1e-9 + 1e-9 * wanted->scaled);
		}
	ck_assert_uint_gt(path_counts_count(counts), 0);
	scene_run_clear(&scene);
}
END_TEST

UNIT_MAIN("path tree", nothing_of_the_cpu_time_and_of_the_waits_is_lost,
	  a_wait_is_a_leaf_below_the_code_that_waited, without_being_asked_for_there_is_no_tree,
	  no_path_is_deeper_than_the_bound, lines_are_nodes_until_they_are_folded,
	  one_place_that_waited_makes_pairs_exact,
	  several_of_both_are_shared_out_and_the_margins_stay,
	  what_another_thread_charges_is_not_lost, too_many_pairs_become_one_and_lose_no_time,
	  a_run_knows_who_kept_whom_waiting, counts_of_nodes_add_up_to_the_routines)
