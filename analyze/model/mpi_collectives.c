/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi_collectives.h"

#include "analyze/memory.h"
#include "analyze/model/mpi_sites.h"

#include <ctype.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

struct occurrence {
	uint64_t identity, leader, sequence; /* the key */
	const char *call;
	uint64_t size, stride, ranks;
	uint64_t base_ns; /* what the instants below are relative to */
	double sum_enter, latest_enter, first_leave, last_leave;
	double last_leaver_enter;
	struct mpi_late late; /* who entered last */
};

struct host {
	const char *name; /* kept by the names */
	uint64_t realtime_offset;
};

struct mpi_collectives_account {
	struct names *names;
	htab_t occurrences;
	struct occurrence **all;
	size_t count, capacity;
	struct host *hosts;
	size_t host_count, host_capacity;
};

/* ---- occurrences */

static hashval_t hash_occurrence(const void *entry)
{
	const struct occurrence *row = entry;
	uint64_t mixed = (row->identity * 31 + row->leader) * 0x9e3779b97f4a7c15u + row->sequence;

	return (hashval_t)(mixed ^ mixed >> 32);
}

static int occurrences_equal(const void *left, const void *right)
{
	const struct occurrence *a = left, *b = right;

	return a->identity == b->identity && a->leader == b->leader && a->sequence == b->sequence;
}

static struct occurrence *find_occurrence(struct mpi_collectives_account *account,
					  const struct occurrence *probe)
{
	bool has_room = account->count < MPI_OCCURRENCES_MAX;
	void **slot = htab_find_slot(account->occurrences, probe, has_room ? INSERT : NO_INSERT);

	if (!slot)
		return NULL;
	if (*slot)
		return *slot;
	struct occurrence *row = memory_allocate(1, sizeof *row);

	*row = *probe;
	account->all =
		memory_grow(account->all, account->count, &account->capacity, sizeof *account->all);
	account->all[account->count++] = row;
	return *slot = row;
}

/* What must be added to instants of the host to compare them with those of the first one. */
static int64_t offset_of(struct mpi_collectives_account *account, const struct profile *profile)
{
	const char *name = names_keep(account->names, profile->process.host);

	for (size_t i = 0; i < account->host_count; i++)
		if (account->hosts[i].name == name)
			return (int64_t)(account->hosts[i].realtime_offset -
					 account->hosts[0].realtime_offset);
	account->hosts = memory_grow(account->hosts, account->host_count, &account->host_capacity,
				     sizeof *account->hosts);
	account->hosts[account->host_count++] =
		(struct host){name, profile->header.start_realtime_ns - profile->header.start_ns};
	return (int64_t)(account->hosts[account->host_count - 1].realtime_offset -
			 account->hosts[0].realtime_offset);
}

/* A rank that is still in the call leaves after everybody. */
static double leave_of(const struct profile_mpi_collective *row, const struct occurrence *in,
		       int64_t offset)
{
	return row->leave_ns ? (double)(int64_t)(row->leave_ns + (uint64_t)offset - in->base_ns)
			     : 1e18;
}

static void add_entry(struct mpi_collectives_account *account, const struct mpi_source *source,
		      const struct profile_mpi_collective *row, int64_t offset)
{
	const struct profile *profile = source->profile;
	const struct profile_mpi_communicator *communicator =
		&profile->mpi_communicators.rows[row->communicator];
	struct occurrence probe = {
		.identity = communicator->identity,
		.leader = communicator->leader,
		.sequence = row->sequence,
		.base_ns = row->enter_ns + (uint64_t)offset,
	};
	struct occurrence *into = find_occurrence(account, &probe);

	if (!into)
		return;
	double enter = (double)(int64_t)(row->enter_ns + (uint64_t)offset - into->base_ns);
	double leave = leave_of(row, into, offset);
	bool is_first = !into->ranks++;

	into->call = names_keep(account->names, profile->mpi_names.rows[row->call].name);
	into->size = communicator->size;
	into->stride = communicator->stride > into->stride ? communicator->stride : into->stride;
	into->sum_enter += enter;
	into->first_leave = is_first || leave < into->first_leave ? leave : into->first_leave;
	if (is_first || leave > into->last_leave) {
		into->last_leave = leave;
		into->last_leaver_enter = enter;
	}
	if (!is_first && enter <= into->latest_enter)
		return;
	struct frame place = mpi_find_place(account->names, profile, row->callpath);

	into->latest_enter = enter;
	into->late = (struct mpi_late){source->rank, place.routine, place.line, 0};
}

void mpi_collectives_add(struct mpi_collectives_account *account, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;
	int64_t offset = profile->mpi_collectives.count ? offset_of(account, profile) : 0;

	for (size_t i = 0; source->rank != MPI_NO_RANK && i < profile->mpi_collectives.count; i++) {
		const struct profile_mpi_collective *row = &profile->mpi_collectives.rows[i];

		if (row->enter_ns && profile->mpi_communicators.rows[row->communicator].size > 1)
			add_entry(account, source, row, offset);
	}
}

/* ---- judgement */

static bool begins_with(const char *text, const char *stem)
{
	return !strncmp(text, stem, strlen(stem));
}

static bool is_one_of(const char *call, const char *const *stems)
{
	for (; *stems; stems++)
		if (begins_with(call, *stems))
			return true;
	return false;
}

static bool is_all_to_all(const char *call)
{
	static const char *const stems[] = {"MPI_Barrier", "MPI_All", "MPI_Reduce_scatter", NULL};

	return is_one_of(call, stems);
}

static bool is_to_root(const char *call)
{
	static const char *const stems[] = {"MPI_Reduce", "MPI_Gather", NULL};

	return is_one_of(call, stems) && !is_all_to_all(call);
}

/* MPI_Ibcast, but not MPI_Init and the like, which are not among the collectives. */
static bool is_nonblocking(const char *call)
{
	return begins_with(call, "MPI_I") && islower((unsigned char)call[5]);
}

static double lost_in(const struct occurrence *row)
{
	double latest = row->latest_enter;

	if (row->first_leave >= latest || is_all_to_all(row->call))
		return (double)row->ranks * latest - row->sum_enter;
	if (!is_to_root(row->call))
		return 0;
	double until = latest < row->last_leave ? latest : row->last_leave;

	return until > row->last_leaver_enter ? until - row->last_leaver_enter : 0;
}

/* By call and size, then by the late rank and its place, so that equal ones stand together. */
static int compare_occurrences(const void *left, const void *right)
{
	const struct occurrence *a = *(struct occurrence *const *)left;
	const struct occurrence *b = *(struct occurrence *const *)right;
	int order = strcmp(a->call, b->call);

	if (order)
		return order;
	if (a->size != b->size)
		return a->size > b->size ? 1 : -1;
	if (a->late.rank != b->late.rank)
		return a->late.rank > b->late.rank ? 1 : -1;
	if (a->late.routine != b->late.routine)
		return a->late.routine > b->late.routine ? 1 : -1;
	return (a->late.line > b->late.line) - (a->late.line < b->late.line);
}

static int compare_late(const void *left, const void *right)
{
	const struct mpi_late *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_rows(const void *left, const void *right)
{
	const struct mpi_collective *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	int order = strcmp(a->call, b->call);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static void charge_late(struct mpi_collective *row, const struct mpi_late *late, double lost_ns)
{
	struct mpi_late *last = row->late_count ? &row->late[row->late_count - 1] : NULL;

	if (!last || last->rank != late->rank || last->routine != late->routine ||
	    last->line != late->line) {
		last = &row->late[row->late_count++];
		*last = *late;
	}
	last->lost_ns += lost_ns;
}

static void judge(struct mpi_collective *row, const struct occurrence *occurrence, bool has_hosts)
{
	uint64_t stride = occurrence->stride ? occurrence->stride : 1;
	double lost_ns = lost_in(occurrence) * (double)stride;

	row->count += stride;
	if (occurrence->ranks != occurrence->size)
		return;
	row->recorded++;
	row->lost_ns += lost_ns;
	if (stride > 1 || has_hosts)
		row->grade = GRADE_ESTIMATED;
	if (lost_ns > 0)
		charge_late(row, &occurrence->late, lost_ns);
}

static bool is_same_row(const struct mpi_collective *row, const struct occurrence *occurrence)
{
	return !strcmp(row->call, occurrence->call) && row->size == occurrence->size;
}

static struct mpi_collectives make_rows(struct mpi_collectives_account *account)
{
	struct mpi_collectives made = {.rows = memory_allocate(account->count, sizeof *made.rows)};

	for (size_t i = 0; i < account->count; i++) {
		const struct occurrence *occurrence = account->all[i];
		struct mpi_collective *row = made.count ? &made.rows[made.count - 1] : NULL;

		if (is_nonblocking(occurrence->call))
			continue;
		if (!row || !is_same_row(row, occurrence)) {
			row = &made.rows[made.count++];
			row->call = occurrence->call;
			row->size = occurrence->size;
			row->late = memory_allocate(account->count - i, sizeof *row->late);
		}
		judge(row, occurrence, account->host_count > 1);
	}
	return made;
}

struct mpi_collectives mpi_collectives_finish(struct mpi_collectives_account *account)
{
	if (account->count)
		qsort(account->all, account->count, sizeof *account->all, compare_occurrences);
	struct mpi_collectives made = make_rows(account);

	for (size_t i = 0; i < made.count; i++)
		if (made.rows[i].late_count)
			qsort(made.rows[i].late, made.rows[i].late_count, sizeof *made.rows[i].late,
			      compare_late);
	if (made.count)
		qsort(made.rows, made.count, sizeof *made.rows, compare_rows);
	htab_delete(account->occurrences);
	free(account->all);
	free(account->hosts);
	free(account);
	return made;
}

struct mpi_collectives_account *mpi_collectives_create(struct names *names)
{
	struct mpi_collectives_account *account = memory_allocate(1, sizeof *account);

	account->names = names;
	account->occurrences = htab_create_alloc(256, hash_occurrence, occurrences_equal, free,
						 memory_allocate, free);
	return account;
}

void mpi_collectives_clear(struct mpi_collectives *collectives)
{
	for (size_t i = 0; i < collectives->count; i++)
		free(collectives->rows[i].late);
	free(collectives->rows);
	*collectives = (struct mpi_collectives){0};
}
