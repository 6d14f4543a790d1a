/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/thread_groups.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/run/thread_lines.h"
#include "analyze/read/run_program.h"

#include <stdlib.h>
#include <string.h>

/* While groups are formed. */
struct entry {
	struct thread_group group;
	char *name; /* owned */
};

static unsigned hash_entry(const void *row)
{
	const struct entry *entry = row;

	return hash_text(entry->group.name, 0);
}

static bool are_entries_equal(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return !strcmp(a->group.name, b->group.name);
}

#define LIBRARY "threads of the MPI library"

static char *name_of(const struct thread_line *line)
{
	if (line->library_threads)
		return memory_copy_text(LIBRARY);
	return line->thread ? memory_copy_text(line->time.shown_name)
			    : run_program_name(line->process->file);
}

static uint64_t threads_of(const struct thread_line *line)
{
	if (line->library_threads)
		return line->library_threads;
	if (!line->thread)
		return line->process->thread_lives;
	return line->thread->lives ? line->thread->lives : 1;
}

static void add_line(struct keyed_table *table, const struct thread_line *line)
{
	char *name = name_of(line);
	const struct entry probe = {.group.name = name};
	bool is_new;
	struct entry *entry = keyed_table_enter(table, &probe, &is_new);

	if (is_new) {
		entry->name = name;
		entry->group.time.is_ready_known = true;
	} else {
		free(name);
	}
	entry->group.threads += threads_of(line);
	entry->group.is_of_library = line->library_threads > 0;
	thread_time_add(&entry->group.time, &line->time);
}

double thread_group_working_ns(const struct thread_group *group)
{
	double rest_ns = (double)group->time.idle_ns + thread_joining_ns(&group->time);

	return (double)group->time.lifetime_ns - rest_ns;
}

static int compare_groups(const void *left, const void *right)
{
	const struct thread_group *a = left, *b = right;
	double a_ns = thread_group_working_ns(a), b_ns = thread_group_working_ns(b);

	if (a->is_of_library != b->is_of_library)
		return a->is_of_library - b->is_of_library;
	return a_ns != b_ns ? (a_ns > b_ns ? -1 : 1) : strcmp(a->name, b->name);
}

/* The names are kept by the run. */
static struct thread_groups groups_in(const struct run *run, struct keyed_table *table)
{
	size_t count = keyed_table_count(table);
	struct thread_groups groups = {memory_allocate(count, sizeof *groups.rows), count};

	for (size_t i = 0; i < count; i++) {
		struct entry *entry = keyed_table_row(table, i);

		groups.rows[i] = entry->group;
		groups.rows[i].name = names_keep(run->names, entry->name);
		free(entry->name);
	}
	qsort(groups.rows, count, sizeof *groups.rows, compare_groups);
	return groups;
}

struct thread_groups thread_groups_of(const struct run *run)
{
	struct thread_lines lines = thread_lines_of(run, false);
	struct keyed_table *table =
		keyed_table_create_by(sizeof(struct entry), hash_entry, are_entries_equal);

	for (size_t i = 0; i < lines.count; i++)
		add_line(table, &lines.rows[i]);
	struct thread_groups groups = groups_in(run, table);

	keyed_table_destroy(table);
	free(lines.rows);
	return groups;
}
