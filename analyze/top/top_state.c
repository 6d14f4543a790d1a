/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_state.h"

#include "analyze/base/memory.h"
#include "analyze/top/top_columns.h"
#include "analyze/top/top_threads.h"
#include "analyze/top/top_tree.h"

#include <stdlib.h>

void top_state_begin(struct top_state *state, struct live *live, bool is_utf8)
{
	*state = (struct top_state){.live = live};
	state->view = (struct top_view){.is_utf8 = is_utf8,
					.only = TOP_SECTIONS,
					.filter = state->filter,
					.order = TOP_CPU,
					.is_order_shown = true,
					.has_rates = true,
					.marks = &state->marks};
}

void top_state_end(struct top_state *state)
{
	live_detail_destroy(state->detail);
	free(state->message);
}

static void drop_choice(struct top_state *state)
{
	state->cursor = (struct top_cursor){0};
	state->view.first = 0;
}

/* ---- rows */

enum top_section top_state_section(const struct top_state *state)
{
	return state->view.is_tree ? TOP_PROCESSES : TOP_THREADS;
}

static struct top_identity *identities_of_tree(const struct top_state *state, size_t *count)
{
	struct top_branch *branches = top_tree_of(&state->view, state->frame, count);
	struct top_identity *rows = memory_allocate(*count + 1, sizeof *rows);

	for (size_t i = 0; i < *count; i++)
		rows[i] = (struct top_identity){branches[i].process->pid,
						branches[i].process->start_ns};
	free(branches);
	return rows;
}

struct top_identity *top_state_rows(const struct top_state *state, size_t *count)
{
	if (state->view.is_tree)
		return identities_of_tree(state, count);
	const struct live_thread **threads = top_threads_of(&state->view, state->frame, count);
	struct top_identity *rows = memory_allocate(*count + 1, sizeof *rows);

	for (size_t i = 0; i < *count; i++)
		rows[i] = (struct top_identity){threads[i]->pid, threads[i]->tid};
	free(threads);
	return rows;
}

const struct live_thread *top_state_thread(const struct top_state *state)
{
	const struct top_identity *chosen = &state->cursor.chosen;

	for (size_t i = 0; state->cursor.is_set && i < state->frame->thread_rows; i++)
		if (state->frame->threads[i].pid == chosen->pid &&
		    state->frame->threads[i].tid == chosen->id)
			return &state->frame->threads[i];
	return NULL;
}

/* ---- the thread's page */

static void look(struct top_state *state)
{
	const struct top_identity *chosen = &state->cursor.chosen;

	live_detail_destroy(state->detail);
	state->detail = live_look_at(state->live, chosen->pid, chosen->id);
}

void top_state_take(struct top_state *state, const struct live_frame *frame)
{
	state->frame = frame;
	if (state->page == TOP_PAGE_DETAIL)
		look(state);
}

static void close_page(struct top_state *state)
{
	state->page = TOP_PAGE_FRAME;
	live_detail_destroy(state->detail);
	state->detail = NULL;
}

/* ---- keys */

void top_state_move(struct top_state *state, enum top_move move)
{
	size_t count;
	struct top_identity *rows = top_state_rows(state, &count);

	top_cursor_settle(&state->cursor, rows, count);
	top_cursor_move(&state->cursor, move, rows, count, state->marks.rows);
	free(rows);
	if (state->page == TOP_PAGE_DETAIL && state->cursor.is_set)
		look(state);
}

/* The next column that is there, in a circle. */
void top_state_sort(struct top_state *state, bool is_right)
{
	enum top_column column = state->view.order;

	for (int i = 0; i < TOP_COLUMNS; i++) {
		column = (column + (is_right ? 1 : TOP_COLUMNS - 1)) % TOP_COLUMNS;
		if (state->marks.columns[column].width && top_column_is_sortable(column)) {
			state->view.order = column;
			return;
		}
	}
}

void top_state_show_only(struct top_state *state, enum top_section section)
{
	bool is_shown = state->view.only == section && !state->view.is_tree && !state->view.pid;

	state->view.only = is_shown ? TOP_SECTIONS : section;
	state->view.is_tree = false;
	state->view.pid = 0;
	drop_choice(state);
}

void top_state_switch_tree(struct top_state *state)
{
	state->view.is_tree = !state->view.is_tree;
	state->view.only = state->view.is_tree ? TOP_PROCESSES : TOP_SECTIONS;
	state->view.pid = 0;
	drop_choice(state);
}

static void show_threads_of(struct top_state *state, uint64_t pid)
{
	state->view.is_tree = false;
	state->view.only = TOP_THREADS;
	state->view.pid = pid;
	drop_choice(state);
}

void top_state_open(struct top_state *state)
{
	bool has_rows = state->view.only == TOP_SECTIONS || state->view.only == TOP_THREADS ||
			state->view.is_tree;

	if (!has_rows)
		return;
	if (!state->cursor.is_set)
		top_state_move(state, TOP_HOME);
	if (!state->cursor.is_set)
		return;
	if (state->view.is_tree) {
		show_threads_of(state, state->cursor.chosen.pid);
		return;
	}
	state->page = TOP_PAGE_DETAIL;
	look(state);
}

void top_state_go_back(struct top_state *state)
{
	if (state->page != TOP_PAGE_FRAME) {
		close_page(state);
	} else if (*state->filter) {
		state->filter[0] = '\0';
	} else if (state->view.pid) {
		state->view.is_tree = false;
		top_state_switch_tree(state);
	} else {
		drop_choice(state);
	}
}

void top_state_save(struct top_state *state)
{
	char *problem = NULL, *name = live_save(state->live, &problem);

	free(state->message);
	state->message = name ? memory_print("the run so far is saved: ptrace-report %s", name)
			      : memory_copy_text(problem);
	free(name);
	free(problem);
}
