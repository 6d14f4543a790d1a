/* SPDX-License-Identifier: MIT */
/* Gathering: rows of profiles become rows of the account. What is made of them in the end is in
 * omp_regions_finish.c. */
#include "analyze/model/omp_regions.h"

#include "analyze/memory.h"
#include "analyze/model/omp_places.h"
#include "analyze/model/omp_regions_parts.h"
#include "analyze/model/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows by key */

enum row_kind { ROW_REGION, ROW_CONSTRUCT, ROW_TASK };

/* What is looked up, and the index of its row. within: the parent, or the region. */
struct row_entry {
	enum row_kind kind;
	size_t within, routine, index;
	uint64_t word;
	unsigned line;
};

static hashval_t hash_entry(const void *entry)
{
	const struct row_entry *row = entry;

	return (hashval_t)(row->within * 1000003 + row->routine * 8191 + row->line * 127 +
			   row->word * 3 + row->kind);
}

static int entries_equal(const void *left, const void *right)
{
	const struct row_entry *a = left, *b = right;

	return a->kind == b->kind && a->within == b->within && a->routine == b->routine &&
	       a->word == b->word && a->line == b->line;
}

/* The index of the row; `next`, which is the caller's to fill, if it is new. */
static size_t find_row(struct omp_regions_account *account, enum row_kind kind, size_t within,
		       uint64_t word, struct frame place, size_t next)
{
	struct row_entry probe = {kind, within, place.routine, next, word, place.line};
	void **slot = htab_find_slot(account->entries, &probe, INSERT);

	if (!*slot) {
		*slot = memory_allocate(1, sizeof probe);
		memcpy(*slot, &probe, sizeof probe);
	}
	return ((struct row_entry *)*slot)->index;
}

static struct omp_region *find_region(struct omp_regions_account *account, size_t parent,
				      uint64_t kind, struct frame place)
{
	size_t id = find_row(account, ROW_REGION, parent, kind, place, account->region_count);

	if (id == account->region_count) {
		account->regions = memory_grow(account->regions, account->region_count,
					       &account->region_capacity, sizeof *account->regions);
		account->regions[account->region_count++] = (struct omp_region){
			.place = place, .kind = kind, .parent = parent, .id = id};
	}
	return &account->regions[id];
}

static struct omp_construct_row *find_construct(struct omp_regions_account *account, size_t region,
						enum omp_construct construct, struct frame place)
{
	size_t index = find_row(account, ROW_CONSTRUCT, region, construct, place,
				account->construct_count);

	if (index == account->construct_count) {
		account->constructs =
			memory_grow(account->constructs, account->construct_count,
				    &account->construct_capacity, sizeof *account->constructs);
		account->constructs[account->construct_count++] = (struct omp_construct_row){
			.region = region, .construct = construct, .place = place};
	}
	return &account->constructs[index];
}

static struct omp_task_row *find_task(struct omp_regions_account *account, size_t region,
				      struct frame place)
{
	size_t index = find_row(account, ROW_TASK, region, 0, place, account->task_count);

	if (index == account->task_count) {
		account->tasks = memory_grow(account->tasks, account->task_count,
					     &account->task_capacity, sizeof *account->tasks);
		account->tasks[account->task_count++] =
			(struct omp_task_row){.region = region, .place = place};
	}
	return &account->tasks[index];
}

/* ---- sums */

static void keep_larger(uint64_t *largest, uint64_t number)
{
	if (number > *largest)
		*largest = number;
}

/* 0 means that nothing was known so far. */
static void keep_smaller(uint64_t *least, uint64_t number)
{
	if (number && (!*least || number < *least))
		*least = number;
}

/* Of equals the one that stands first in the run: the order of files must not matter. */
static bool is_before(const struct omp_member *a, const struct omp_member *b)
{
	return a->process != b->process ? a->process < b->process : a->number < b->number;
}

static void unite_spreads(struct omp_spread *into, const struct omp_spread *from)
{
	if (!from->members)
		return;
	if (!into->members || from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (!into->members || from->max_ns > into->max_ns ||
	    (from->max_ns == into->max_ns && is_before(&from->most, &into->most))) {
		into->max_ns = from->max_ns;
		into->most = from->most;
	}
	into->members += from->members;
	into->sum_ns += from->sum_ns;
}

static void unite_regions(struct omp_region *into, const struct omp_region *from)
{
#define SUM(name) into->name += from->name;
	OMP_REGION_SUMS(SUM)
#undef SUM
	keep_smaller(&into->team_min, from->team_min);
	keep_larger(&into->team_max, from->team_max);
	keep_smaller(&into->min_ns, from->min_ns);
	keep_larger(&into->max_ns, from->max_ns);
	unite_spreads(&into->spread, &from->spread);
}

static void unite_constructs(struct omp_construct_row *into, const struct omp_construct_row *from)
{
#define SUM(name) into->name += from->name;
	OMP_CONSTRUCT_SUMS(SUM)
#undef SUM
	keep_larger(&into->max_ns, from->max_ns);
}

static void unite_tasks(struct omp_task_row *into, const struct omp_task_row *from)
{
#define SUM(name) into->name += from->name;
	OMP_TASK_SUMS(SUM)
#undef SUM
	keep_larger(&into->max_ns, from->max_ns);
	keep_larger(&into->delay_max_ns, from->delay_max_ns);
}

/* ---- one process */

/* What the profile's regions are here; parents come first. */
static size_t *number_regions(struct omp_regions_account *account, const struct profile *profile)
{
	size_t *ids = memory_allocate(profile->omp_regions.count + 1, sizeof *ids);

	for (size_t i = 1; i < profile->omp_regions.count; i++) {
		const struct profile_omp_region *row = &profile->omp_regions.rows[i];
		size_t parent = row->parent ? ids[row->parent] : OMP_NO_REGION;

		if (!row->kind)
			continue;
		ids[i] = find_region(account, parent, row->kind,
				     omp_place_of(account->names, profile, row->place,
						  row->flags & OMP_REGION_AT_ENTRY))
				 ->id;
	}
	return ids;
}

static void add_execution(struct omp_region *region, const struct profile_omp_execution *row)
{
	double team = row->team ? (double)row->team : 1, count = (double)row->count;
	struct omp_region one = {
		.team_min = row->count ? row->team : 0,
		.team_max = row->team,
		.min_ns = row->min_ns,
		.max_ns = row->max_ns,
		.count = count,
		.team_count = team * count,
		.members = (double)row->members,
		.elapsed_ns = (double)row->elapsed_ns,
		.fork_ns = (double)row->fork_ns,
		.work_ns = (double)row->work_ns,
		.wait_ns = (double)row->wait_ns,
		.join_ns = (double)row->join_ns,
		.work_max_ns = (double)row->work_max_ns,
		.team_elapsed_ns = team * (double)row->elapsed_ns,
		.imbalance_ns = fmax(0, (double)row->work_max_ns - (double)row->work_ns / team),
		.join_share_ns = (double)row->join_ns / team,
	};

	unite_regions(region, &one);
}

static int compare_members(const void *left, const void *right)
{
	const struct omp_member *a = left, *b = right;

	if (a->region != b->region)
		return a->region > b->region ? 1 : -1;
	if (a->number != b->number)
		return a->number > b->number ? 1 : -1;
	if (a->work_ns != b->work_ns)
		return a->work_ns > b->work_ns ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Rows of one number follow each other, the most work first: nested teams have new threads under
 * the same number each time. */
static size_t unite_members(struct omp_member *rows, size_t count)
{
	size_t last = 0;

	if (count)
		qsort(rows, count, sizeof *rows, compare_members);
	for (size_t i = 1; i < count; i++) {
		struct omp_member *known = &rows[last];

		if (rows[i].region != known->region || rows[i].number != known->number) {
			rows[++last] = rows[i];
			continue;
		}
		known->count += rows[i].count;
		known->body_ns += rows[i].body_ns;
		known->work_ns += rows[i].work_ns;
	}
	return count ? last + 1 : 0;
}

static void add_member(struct omp_regions_account *account, const struct omp_member *member)
{
	struct omp_region *region = &account->regions[member->region];
	double work = (double)member->work_ns;
	struct omp_spread one = {1, work, work, work, *member};

	unite_spreads(&region->spread, &one);
	omp_regions_keep_member(account, member);
}

static void add_members(struct omp_regions_account *account, const struct profile *profile,
			const struct process *process, const size_t *ids)
{
	struct omp_member *rows = memory_allocate(profile->omp_work.count + 1, sizeof *rows);
	size_t count = 0;

	for (size_t i = 0; i < profile->omp_work.count; i++) {
		const struct profile_omp_work *row = &profile->omp_work.rows[i];

		if (!ids[row->region])
			continue;
		rows[count++] = (struct omp_member){
			.region = ids[row->region],
			.process = process->index,
			.number = row->member,
			.pid = profile->header.pid,
			.tid = profile->threads.rows[row->thread].tid,
			.count = row->count,
			.body_ns = row->body_ns,
			.work_ns = row->work_ns,
		};
	}
	count = unite_members(rows, count);
	for (size_t i = 0; i < count; i++)
		add_member(account, &rows[i]);
	free(rows);
}

/* A body that ends with a call of the runtime jumps there: the call returns to whoever called the
 * body, which is the runtime. */
static struct frame construct_place(const struct omp_regions_account *account,
				    const struct profile *profile,
				    const struct profile_omp_construct *row, size_t region)
{
	struct frame place = omp_place_of(account->names, profile, row->place, false);

	if (region && names_routine(account->names, place.routine)->is_machinery)
		return account->regions[region].place;
	return place;
}

static void add_construct(struct omp_regions_account *account, const struct profile *profile,
			  const struct profile_omp_construct *row, size_t region)
{
	struct frame place = construct_place(account, profile, row, region);
	struct omp_construct_row one = {
		.count = (double)row->count,
		.time_ns = (double)row->time_ns,
		.pieces = (double)row->pieces,
		.timed = (double)row->timed,
		.max_ns = row->max_ns,
	};

	if (row->construct != OMP_CONSTRUCT_NONE)
		unite_constructs(
			find_construct(account, region, (enum omp_construct)row->construct, place),
			&one);
}

static void add_task(struct omp_regions_account *account, const struct profile *profile,
		     const struct profile_omp_task *row, size_t region)
{
	/* one that was made without a place has found no room in the table */
	struct frame place =
		omp_place_of(account->names, profile, row->place, row->flags & OMP_REGION_AT_ENTRY);
	struct omp_task_row one = {
		.created = (double)row->created,
		.dependences = (double)row->dependences,
		.executed = (double)row->executed,
		.undeferred = (double)row->undeferred,
		.stolen = (double)row->stolen,
		.work_ns = (double)row->work_ns,
		.delay_ns = (double)row->delay_ns,
		.max_ns = row->max_ns,
		.delay_max_ns = row->delay_max_ns,
	};

	unite_tasks(find_task(account, region, place), &one);
}

void omp_regions_add(struct omp_regions_account *account, const struct profile *profile,
		     const struct process *process)
{
	size_t *ids = number_regions(account, profile);

	for (size_t i = 0; i < profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &profile->omp_executions.rows[i];

		if (ids[row->region])
			add_execution(&account->regions[ids[row->region]], row);
	}
	add_members(account, profile, process, ids);
	for (size_t i = 0; i < profile->omp_constructs.count; i++)
		add_construct(account, profile, &profile->omp_constructs.rows[i],
			      ids[profile->omp_constructs.rows[i].region]);
	for (size_t i = 0; i < profile->omp_tasks.count; i++)
		add_task(account, profile, &profile->omp_tasks.rows[i],
			 ids[profile->omp_tasks.rows[i].region]);
	free(ids);
}

/* ---- merged runs */

size_t omp_regions_unite(struct omp_regions_account *account, const struct omp_region *row)
{
	struct omp_region *region = find_region(account, row->parent, row->kind, row->place);

	unite_regions(region, row);
	return region->id;
}

void omp_regions_unite_construct(struct omp_regions_account *account,
				 const struct omp_construct_row *row)
{
	unite_constructs(find_construct(account, row->region, row->construct, row->place), row);
}

void omp_regions_unite_task(struct omp_regions_account *account, const struct omp_task_row *row)
{
	unite_tasks(find_task(account, row->region, row->place), row);
}

void omp_regions_keep_member(struct omp_regions_account *account, const struct omp_member *row)
{
	if (account->regions[row->region].member_count >= OMP_MEMBERS_MAX)
		return;
	account->regions[row->region].member_count++;
	account->members = memory_grow(account->members, account->member_count,
				       &account->member_capacity, sizeof *account->members);
	account->members[account->member_count++] = *row;
}

/* ---- life */

struct omp_regions_account *omp_regions_create(struct names *names)
{
	struct omp_regions_account *account = memory_allocate(1, sizeof *account);

	account->names = names;
	account->entries =
		htab_create_alloc(64, hash_entry, entries_equal, free, memory_allocate, free);
	find_region(account, OMP_NO_REGION, OMP_REGION_NONE, (struct frame){0});
	return account;
}

void omp_regions_destroy(struct omp_regions_account *account)
{
	htab_delete(account->entries);
	free(account->regions);
	free(account->constructs);
	free(account->tasks);
	free(account->members);
	free(account);
}
