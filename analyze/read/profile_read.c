/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_read.h"

#include "analyze/base/memory.h"
#include "analyze/read/profile_rows.h"
#include "analyze/read/profile_within.h"
#include "analyze/read/section_paths.h"

#include <stdlib.h>
#include <string.h>

static void read_process(struct profile *profile)
{
	struct {
		struct profile_process *rows;
		size_t count;
	} processes = {NULL, 0};

	profile_rows_unite(profile, &profile_process_table, (char **)&processes.rows,
			   &processes.count);
	profile->process = (struct profile_process){.command = "", .executable = "", .host = ""};
	if (processes.count)
		profile->process = processes.rows[0];
	if (!profile->process.pid)
		profile->process.pid = profile->header.pid;
	free(processes.rows);
}

/* Of a summary, too: what is missing is told at once. */
static void need_tables(struct table_file *file)
{
	table_file_need(file, profile_process_table.name);
	for (size_t i = 0; i < profile_table_count; i++)
		table_file_need(file, profile_tables[i].name);
}

/* ---- sections */

static const struct profile_table *table_of(const char *name)
{
	size_t i = 0;

	while (strcmp(profile_tables[i].name, name) != 0)
		i++;
	return &profile_tables[i];
}

static void add_section_wait(struct profile *profile, const struct section_paths *paths,
			     const struct profile_wait *wait)
{
	struct section_place place = section_paths_place(paths, wait->callpath);

	if (!place.section && !place.phase)
		return;
	profile->section_waits.rows =
		memory_grow(profile->section_waits.rows, profile->section_waits.count,
			    &profile->section_waits.capacity, sizeof *profile->section_waits.rows);
	struct profile_section_wait *row =
		&profile->section_waits.rows[profile->section_waits.count++];

	*row = (struct profile_section_wait){*wait, place.section, place.phase};
	row->wait.callpath = section_paths_plain(paths, wait->callpath);
}

struct section_waits {
	struct profile *profile;
	const struct section_paths *paths;
};

static void visit_wait(void *data, const void *row)
{
	const struct section_waits *waits = data;

	add_section_wait(waits->profile, waits->paths, row);
}

static void leave_out(struct profile *profile, const struct section_paths *paths,
		      const bool *inside)
{
	for (size_t i = 0; i < profile_table_count; i++) {
		const char *name = profile_tables[i].name;
		const struct table *table = table_file_find(profile->file, name);

		if (table && profile_within_has_marks(name))
			section_paths_leave_out(paths, table, inside);
	}
}

/* What says in which section something happened is kept of waits; everybody else sees paths without
 * it. inside: what is wanted alone; NULL: all of it. */
static void take_sections_off(struct profile *profile, const bool *inside)
{
	struct section_paths *paths = section_paths_of(profile->file);

	if (!paths)
		return;
	struct section_waits waits = {profile, paths};

	profile_rows_each(profile, table_of("waits"), visit_wait, &waits);
	if (inside)
		leave_out(profile, paths, inside);
	section_paths_apply(paths, profile->file);
	section_paths_destroy(paths);
}

/* ---- damaged references */

static void tell_damage(struct profile *profile, const char *problem)
{
	profile->file->is_torn = true;
	text_list_add(&profile->file->problems, "%s", problem);
}

/* Parents come first, so that every walk towards the root ends. */
static void cut_cycles(struct profile *profile)
{
	for (size_t i = 0; i < profile->callpaths.count; i++)
		if (profile->callpaths.rows[i].parent >= i && profile->callpaths.rows[i].parent) {
			profile->callpaths.rows[i].parent = 0;
			tell_damage(profile, "call paths are damaged");
		}
	for (size_t i = 0; i < profile->omp_regions.count; i++)
		if (profile->omp_regions.rows[i].parent >= i &&
		    profile->omp_regions.rows[i].parent) {
			profile->omp_regions.rows[i].parent = 0;
			tell_damage(profile, "OpenMP regions are damaged");
		}
}

static void cut_cycles_of_sections(struct profile *profile)
{
	for (size_t i = 0; i < profile->sections.count; i++)
		if (profile->sections.rows[i].parent >= i && profile->sections.rows[i].parent) {
			profile->sections.rows[i].parent = 0;
			tell_damage(profile, "sections are damaged");
		}
}

/* The number of a function of Python is a part of a column. */
static void refer_to_python(struct profile *profile)
{
	const struct table *codes = table_file_find(profile->file, "python_code");

	for (size_t i = 0; i < profile->callpaths.count; i++) {
		struct profile_callpath *row = &profile->callpaths.rows[i];
		uint64_t number = row->offset & UINT32_MAX;

		if (row->flags & CALLPATH_PYTHON)
			row->offset += (codes ? table_row_index(codes, number) : 0) - number;
	}
}

/* Of rows of any table: the thread is their first field. */
static int compare_threads(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

#define SORT_BY_THREAD(table)                                                                      \
	do {                                                                                       \
		if ((table).count)                                                                 \
			qsort((table).rows, (table).count, sizeof *(table).rows, compare_threads); \
	} while (0)

/* What is read of a profile. */
struct wanted {
	bool is_summary;
	const char *section; /* NULL: all of it */
};

/* What is wanted alone; NULL: all of it, or there is none of that name. */
static bool *find_inside(struct profile *profile, const char *section)
{
	cut_cycles_of_sections(profile);
	profile->is_restricted = section != NULL;
	return section ? profile_within_find(profile, section) : NULL;
}

/* Nothing has the mark of a section that is not there. */
static void restrict_to(struct profile *profile, const bool *inside)
{
	if (!inside)
		profile->samples.count = profile->waits.count = profile->mpi_calls.count =
			profile->event_samples.count = 0;
	profile->is_in_within = inside != NULL;
	profile_within_restrict(profile, inside);
}

static void read_tables(struct profile *profile, const struct wanted *wanted)
{
	const struct profile_table *sections = table_of("sections");

	if (!wanted->is_summary)
		profile_rows_read(profile, sections);
	bool *inside = find_inside(profile, wanted->section);

	if (!wanted->is_summary)
		take_sections_off(profile, inside);
	for (size_t i = 0; i < profile_table_count; i++)
		if ((!wanted->is_summary || profile_tables[i].flags & PROFILE_SUMMARY) &&
		    &profile_tables[i] != sections)
			profile_rows_read(profile, &profile_tables[i]);
	cut_cycles(profile);
	refer_to_python(profile);
	if (wanted->section)
		restrict_to(profile, inside);
	free(inside);
}

static struct profile *read_profile(const char *path, struct table_file *file,
				    const struct wanted *wanted)
{
	struct profile *profile = memory_allocate(1, sizeof *profile);

	profile->path = memory_copy_text(path);
	profile->file = file;
	profile->header = file->header;
	need_tables(file);
	read_process(profile);
	read_tables(profile, wanted);
	SORT_BY_THREAD(profile->samples);
	SORT_BY_THREAD(profile->event_counts);
	SORT_BY_THREAD(profile->event_samples);
	return profile;
}

static struct profile *read_checked(const char *path, struct table_file *file, struct wanted wanted,
				    char **problem)
{
	if (!file)
		return NULL;
	if (file->header.version == FORMAT_VERSION)
		return read_profile(path, file, &wanted);
	*problem = memory_copy_text("is no profile but a merged run: name its directory");
	table_file_destroy(file);
	return NULL;
}

struct profile *profile_open(const char *path, char **problem)
{
	return profile_open_within(path, NULL, problem);
}

struct profile *profile_open_within(const char *path, const char *section, char **problem)
{
	return read_checked(path, table_file_open(path, problem),
			    (struct wanted){.section = section}, problem);
}

struct profile *profile_open_summary(const char *path, char **problem)
{
	return read_checked(path, table_file_open(path, problem),
			    (struct wanted){.is_summary = true}, problem);
}

struct profile *profile_parse(const char *path, unsigned char *bytes, size_t size, char **problem)
{
	return profile_parse_within(path, bytes, size, NULL, problem);
}

struct profile *profile_parse_within(const char *path, unsigned char *bytes, size_t size,
				     const char *section, char **problem)
{
	return read_checked(path, table_file_parse(bytes, size, problem),
			    (struct wanted){.section = section}, problem);
}

void profile_destroy(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile_table_count; i++)
		free(*(void **)((char *)profile + profile_tables[i].rows));
	for (size_t i = 0; i < profile->copied_text_count; i++)
		free(profile->copied_texts[i]);
	free(profile->copied_texts);
	free(profile->section_waits.rows);
	table_file_destroy(profile->file);
	free(profile->path);
	free(profile);
}
