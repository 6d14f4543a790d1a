/* SPDX-License-Identifier: MIT */
/* The calling-context tree of a whole run: CPU time and waits by call path, over all processes and
 * threads, by names instead of addresses.
 *
 * A node is a routine at a line, reached from its parent. Its line is that of the call to its
 * child, or where its own time was spent; a routine with several lines is several nodes
 * (path_tree_fold_lines unites them). A wait is a leaf below the code that waited, named after what
 * it waited for: "[mutex queue_lock]", "[MPI_Recv]", "[OpenMP barrier]", "[closing barrier]".
 * Frames between an OpenMP region and its body (routine.is_machinery) are left out.
 *
 *   sum of cpu_ns  = CPU time of the run, exactly: what no sample claimed is a leaf "[unsampled]"
 *   sum of elapsed_ns, of alone_ns = T - T_0, T_1 of the process images, exactly
 *   sum of counts  = what was counted in the run, by event (path_counts.h)
 *   sum of wait_ns = waits of all causes as the section synchronization has them, open ones
 *                    included, and time in MPI calls and at OpenMP's barriers
 *
 * Figures are exclusive, of the node itself; path_tree_totals makes them inclusive. A wait is
 * thread time on or off a processor: MPI and OpenMP poll, so that cpu_ns and wait_ns may cover the
 * same time.
 *
 * Accumulator as in accumulator.h. Bounded: what would become node number PATH_NODES_MAX or above
 * is charged to a leaf "[other]" of the root, and what lies deeper than PATH_DEPTH_MAX frames to
 * the frame at that depth (recorded paths are shorter; inlined routines and damaged profiles may
 * make them longer). Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/paths/path_counts.h"

struct counter_sum;
struct process;
struct profile_event_sample;
struct sample_shares;
struct merged_writer;
struct merged_input;

#define PATH_NODES_MAX (1u << 19)
#define PATH_DEPTH_MAX 2048

enum path_kind { PATH_CODE, PATH_WAIT };

/* Columns: merged.def. parent: index, smaller than its own; node 0 is the root and its own parent;
 * routine: of the root ""; kind: enum path_kind; self: sampled, elapsed time by sample_share.h;
 * is_inferred: at least once (symbols/tail_calls.h); atomic: samples at atomic instructions
 * (symbols/atomic_code.h). Company is known of routines, not of threads: who shares is told by the
 * CPU time of each. */
struct path_node {
	struct merged_paths;
	unsigned depth;            /* frames including itself; of the root 0 */
	uint64_t atomic_thread_ns; /* of the thread whose samples were added last */
	size_t atomic_thread;
};

/* The children of a node are not adjacent; nodes are in the order in which they were first met. */
struct path_tree {
	struct path_node *nodes;
	size_t count;               /* 0: the run was read without RUN_PATHS */
	struct path_counts *counts; /* of the nodes; NULL: lines are folded */
};

struct path_accumulator;

struct path_accumulator *path_accumulator_create(struct names *names);
/* shares: of the profile. */
void path_accumulator_add(struct path_accumulator *accumulator, const struct profile *profile,
			  const struct process *process, const struct sample_shares *shares);
/* What an event counted at a sample of the profile that was added last; sample NULL: at none.
 * event: a text of the names. */
void path_accumulator_count(struct path_accumulator *accumulator, const struct profile *profile,
			    const struct profile_event_sample *sample, const char *event,
			    const struct counter_sum *sum);
/* Merged runs (tables/merged.h). */
void path_accumulator_write(const struct path_accumulator *accumulator,
			    struct merged_writer *writer);
void path_accumulator_read(struct path_accumulator *accumulator, struct merged_input *input);
struct path_tree path_accumulator_finish(struct path_accumulator *accumulator);
void path_tree_clear(struct path_tree *tree);

/* The same tree by routine and kind only: lines are 0, and events are left out. */
struct path_tree path_tree_fold_lines(const struct path_tree *tree);
/* Inclusive figures of each node; released by the caller. */
struct path_figures *path_tree_totals(const struct path_tree *tree);
