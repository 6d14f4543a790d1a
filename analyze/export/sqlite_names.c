/* SPDX-License-Identifier: MIT */
/* The tables of a database that profiles do not have. */
#include "analyze/export/sqlite_names.h"

#include "analyze/base/memory.h"
#include "analyze/export/sqlite_views.h"
#include "analyze/export/sqlite_vocabulary.h"
#include "analyze/model/run/run_others.h"
#include "analyze/model/sync/open_wait.h"

#include <stdlib.h>
#include <strings.h>

enum own_table {
	OWN_RUN,
	OWN_RUN_NOTES,
	OWN_PROCESSES,
	OWN_ROUTINES,
	OWN_FRAMES,
	OWN_PLACES,
	OWN_OBJECT_NAMES,
	OWN_SAMPLE_SHARES,
	OWN_THREAD_TIMES,
	OWN_WAITS_AT_END,
	OWN_TABLES
};

static const struct {
	const char *name, *columns;
	int count;
	const char *repeated; /* what happens to a row whose key exists already; NULL: none does */
} own_tables[OWN_TABLES] = {
	[OWN_RUN] = {"run", "name TEXT PRIMARY KEY, value", 2, NULL},
	[OWN_RUN_NOTES] = {"run_notes", "note TEXT", 1, NULL},
	[OWN_PROCESSES] = {"processes",
			   "process INTEGER PRIMARY KEY, rank INTEGER, host TEXT, pid INTEGER, "
			   "sequence INTEGER, parent_pid INTEGER, command TEXT, executable TEXT, "
			   "status TEXT, is_complete INTEGER, start_ns INTEGER, end_ns INTEGER, "
			   "elapsed_ns INTEGER, cpu_ns INTEGER, ready_ns INTEGER, threads INTEGER, "
			   "executing_ns INTEGER, sequential_ns INTEGER",
			   18, NULL},
	[OWN_ROUTINES] = {"routines",
			  "routine INTEGER PRIMARY KEY, name TEXT, file TEXT, module TEXT", 4,
			  NULL},
	[OWN_FRAMES] = {"frames",
			"process INTEGER, callpath INTEGER, depth INTEGER, routine INTEGER, line "
			"INTEGER, inferred INTEGER, PRIMARY KEY (process, callpath, depth)",
			6, NULL},
	[OWN_PLACES] = {"places",
			"process INTEGER, callpath INTEGER, routine INTEGER, line INTEGER, "
			"inferred INTEGER, PRIMARY KEY (process, callpath)",
			5, NULL},
	[OWN_OBJECT_NAMES] = {"object_names",
			      "process INTEGER, object INTEGER, kind TEXT, name TEXT, created_at "
			      "TEXT, PRIMARY KEY (process, object)",
			      5, NULL},
	/* by the key of samples, whose rows are merged in the database only */
	[OWN_SAMPLE_SHARES] = {"sample_shares",
			       "process INTEGER, thread INTEGER, callpath INTEGER, level INTEGER, "
			       "cause INTEGER, elapsed_ns INTEGER, alone_ns INTEGER, "
			       "PRIMARY KEY (process, thread, callpath, level, cause)",
			       7,
			       " ON CONFLICT DO UPDATE SET elapsed_ns = elapsed_ns + "
			       "excluded.elapsed_ns, alone_ns = alone_ns + excluded.alone_ns"},
	/* the rows of threads end with the last record; what was under way then went on */
	[OWN_THREAD_TIMES] = {"thread_times",
			      "process INTEGER, thread INTEGER, lifetime_ns INTEGER, ready_ns "
			      "INTEGER, blocked_ns INTEGER, PRIMARY KEY (process, thread)",
			      5, NULL},
	[OWN_WAITS_AT_END] = {"waits_at_end",
			      "process INTEGER, thread INTEGER, object INTEGER, callpath INTEGER, "
			      "cause INTEGER, operation INTEGER, wait_ns INTEGER, holder TEXT, "
			      "held_ns INTEGER, PRIMARY KEY (process, thread)",
			      9, NULL},
};

struct sqlite_names {
	struct sqlite_store *store;
	const struct run *run;
	sqlite3_stmt *inserts[OWN_TABLES];
};

bool sqlite_names_has(const char *name)
{
	for (size_t i = 0; i < OWN_TABLES; i++)
		if (!strcasecmp(own_tables[i].name, name))
			return true;
	return sqlite_vocabulary_has(name) || sqlite_views_has(name);
}

static struct sqlite_row begin_row(struct sqlite_names *names, enum own_table table)
{
	return sqlite_row_begin(names->store, names->inserts[table]);
}

static void create_table(struct sqlite_names *names, enum own_table table)
{
	static const char marks[] = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";
	const char *repeated = own_tables[table].repeated;

	sqlite_store_run(names->store, "CREATE TABLE %s (%s)%s", own_tables[table].name,
			 own_tables[table].columns, table >= OWN_FRAMES ? " WITHOUT ROWID" : "");
	names->inserts[table] = sqlite_store_prepare(
		names->store, "INSERT INTO %s VALUES (%.*s)%s", own_tables[table].name,
		3 * own_tables[table].count - 2, marks, repeated ? repeated : "");
}

/* ---- the run */

static void write_text(struct sqlite_names *names, const char *name, const char *value)
{
	struct sqlite_row row = begin_row(names, OWN_RUN);

	sqlite_row_text(&row, name);
	sqlite_row_text(&row, value);
	sqlite_row_end(&row);
}

static void write_number(struct sqlite_names *names, const char *name, uint64_t value)
{
	struct sqlite_row row = begin_row(names, OWN_RUN);

	sqlite_row_text(&row, name);
	sqlite_row_number(&row, value);
	sqlite_row_end(&row);
}

static void write_real(struct sqlite_names *names, const char *name, double value)
{
	struct sqlite_row row = begin_row(names, OWN_RUN);

	sqlite_row_text(&row, name);
	sqlite_row_real(&row, value);
	sqlite_row_end(&row);
}

static void write_run(struct sqlite_names *names)
{
	const struct run *run = names->run;

	write_text(names, "command", run->command);
	write_text(names, "start", run->start);
	write_text(names, "directory", run->files->directory);
	write_text(names, "tool_version", PTRACE_VERSION);
	write_number(names, "is_complete", run->is_complete);
	write_number(names, "elapsed_ns", run->elapsed_ns);
	write_number(names, "cpu_ns", run->cpu_ns);
	write_number(names, "processors", run->processors);
	write_real(names, "efficiency_percent", run->efficiency_percent);
	write_real(names, "overhead_percent", run->overhead_percent);
	write_real(names, "others_ns", run_others_ns(run));
	for (size_t i = 0; i < run->notes.count; i++) {
		struct sqlite_row row = begin_row(names, OWN_RUN_NOTES);

		sqlite_row_text(&row, run->notes.texts[i]);
		sqlite_row_end(&row);
	}
}

static void write_process(struct sqlite_names *names, const struct process *process)
{
	const struct run_process *file = process->file;
	struct sqlite_row row = begin_row(names, OWN_PROCESSES);

	sqlite_row_number(&row, process->index);
	if (process->rank == MPI_NO_RANK)
		sqlite_row_null(&row);
	else
		sqlite_row_number(&row, process->rank);
	sqlite_row_text(&row, file->process.host);
	sqlite_row_number(&row, file->header.pid);
	sqlite_row_number(&row, file->header.sequence);
	sqlite_row_number(&row, file->process.parent_pid);
	sqlite_row_text(&row, file->process.command);
	sqlite_row_text(&row, file->process.executable);
	sqlite_row_text(&row, process->status);
	sqlite_row_number(&row, process->life.is_complete && !file->is_torn);
	sqlite_row_number(&row, file->header.start_ns);
	sqlite_row_number(&row, process->life.end_ns);
	sqlite_row_number(&row, process->elapsed_ns);
	sqlite_row_number(&row, process->cpu_ns);
	sqlite_row_number(&row, process->ready_ns);
	sqlite_row_number(&row, process->thread_lives);
	if (process->is_concurrency_known) {
		sqlite_row_number(&row, process->executing_ns);
		sqlite_row_number(&row, process->sequential_ns);
	} else {
		sqlite_row_null(&row);
		sqlite_row_null(&row);
	}
	sqlite_row_end(&row);
}

/* ---- names of code and of locks */

static void write_place(struct sqlite_names *names, size_t process, size_t callpath,
			const struct frame *frame)
{
	struct sqlite_row row = begin_row(names, OWN_PLACES);

	sqlite_row_number(&row, process);
	sqlite_row_number(&row, callpath);
	sqlite_row_number(&row, frame->routine);
	sqlite_row_number(&row, frame->line);
	sqlite_row_number(&row, frame->is_inferred);
	sqlite_row_end(&row);
}

static void write_frames(struct sqlite_names *names, const struct profile *profile, size_t process,
			 size_t callpath)
{
	const struct frame *frames, *user;
	size_t count = names_frames(names->run->names, profile, callpath, &frames);

	for (size_t depth = 0; depth < count; depth++) {
		struct sqlite_row row = begin_row(names, OWN_FRAMES);

		sqlite_row_number(&row, process);
		sqlite_row_number(&row, callpath);
		sqlite_row_number(&row, depth);
		sqlite_row_number(&row, frames[depth].routine);
		sqlite_row_number(&row, frames[depth].line);
		sqlite_row_number(&row, frames[depth].is_inferred);
		sqlite_row_end(&row);
	}
	user = names_user_frame(names->run->names, profile, callpath);
	if (user)
		write_place(names, process, callpath, user);
}

/* A call on each object, which tells its kind where its row does not. */
static enum operation *operations_of(const struct profile *profile)
{
	enum operation *operations =
		memory_allocate(profile->objects.count + 1, sizeof *operations);

	for (size_t i = 0; i < profile->tallies.count; i++)
		operations[profile->tallies.rows[i].object] =
			(enum operation)profile->tallies.rows[i].operation;
	for (size_t i = 0; i < profile->waits.count; i++)
		operations[profile->waits.rows[i].object] =
			(enum operation)profile->waits.rows[i].operation;
	for (size_t i = 0; i < profile->io_calls.count; i++)
		operations[profile->io_calls.rows[i].object] =
			(enum operation)profile->io_calls.rows[i].operation;
	return operations;
}

static void write_object(struct sqlite_names *names, const struct profile *profile, size_t process,
			 size_t object, enum operation operation)
{
	struct sync_object named = sync_object_of(names->run->names, profile, object, operation);
	char *name = sync_object_name(&named);
	struct sqlite_row row = begin_row(names, OWN_OBJECT_NAMES);

	sqlite_row_number(&row, process);
	sqlite_row_number(&row, object);
	sqlite_row_text(&row, named.kind);
	sqlite_row_text(&row, name);
	sqlite_row_text(&row, named.created_at);
	sqlite_row_end(&row);
	free(name);
}

/* ---- samples */

static void write_shares(struct sqlite_names *names, const struct profile *profile,
			 const struct process *process)
{
	struct sample_shares shares = process_sample_shares(process, profile, names->run->names);

	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *sample = &profile->samples.rows[i];
		struct sqlite_row row = begin_row(names, OWN_SAMPLE_SHARES);

		sqlite_row_number(&row, process->index);
		sqlite_row_number(&row, sample->thread);
		sqlite_row_number(&row, sample->callpath);
		sqlite_row_number(&row, sample->level);
		sqlite_row_number(&row, sample->cause);
		sqlite_row_number(&row, shares.samples[i].elapsed_ns);
		sqlite_row_number(&row, shares.samples[i].alone_ns);
		sqlite_row_end(&row);
	}
	sample_shares_clear(&shares);
}

/* ---- threads until the end */

static void write_thread_times(struct sqlite_names *names, const struct process *process)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		struct sqlite_row row = begin_row(names, OWN_THREAD_TIMES);

		sqlite_row_number(&row, process->index);
		sqlite_row_number(&row, time->index);
		sqlite_row_number(&row, time->lifetime_ns);
		if (time->is_ready_known)
			sqlite_row_number(&row, time->ready_ns);
		else
			sqlite_row_null(&row);
		sqlite_row_number(&row, time->blocked_ns);
		sqlite_row_end(&row);
	}
}

static void write_open_wait(struct sqlite_names *names, const struct profile *profile,
			    const struct process *process, const struct open_wait *wait)
{
	const struct profile_thread *thread = wait->time->thread;
	struct sqlite_row row = begin_row(names, OWN_WAITS_AT_END);

	sqlite_row_number(&row, process->index);
	sqlite_row_number(&row, wait->time->index);
	sqlite_row_number(&row, thread->waiting_object);
	sqlite_row_number(&row, thread->waiting_path);
	sqlite_row_number(&row, thread->waiting_cause);
	sqlite_row_number(&row, wait->operation);
	sqlite_row_number(&row, wait->time->open_wait_ns);
	if (open_wait_is_caused(wait)) {
		sqlite_row_text(&row, open_wait_holder(wait, profile, names->run->names));
		sqlite_row_number(&row, wait->time->open_wait_ns - wait->charged_ns);
	} else {
		sqlite_row_null(&row);
		sqlite_row_null(&row);
	}
	sqlite_row_end(&row);
}

static void write_open_waits(struct sqlite_names *names, const struct profile *profile,
			     const struct process *process)
{
	struct open_waits waits = open_waits_of(profile, process);

	for (size_t i = 0; i < waits.count; i++)
		write_open_wait(names, profile, process, &waits.rows[i]);
	open_waits_clear(&waits);
}

void sqlite_names_add(struct sqlite_names *names, const struct profile *profile,
		      const struct process *process)
{
	enum operation *operations = operations_of(profile);

	for (size_t i = 1; i < profile->callpaths.count; i++)
		if (profile->callpaths.rows[i].flags &&
		    !(profile->callpaths.rows[i].flags & CALLPATH_UNUSED))
			write_frames(names, profile, process->index, i);
	for (size_t i = 1; i < profile->objects.count; i++)
		if (profile->objects.rows[i].kind || profile->objects.rows[i].address)
			write_object(names, profile, process->index, i, operations[i]);
	write_shares(names, profile, process);
	write_thread_times(names, process);
	write_open_waits(names, profile, process);
	free(operations);
}

/* ---- life */

struct sqlite_names *sqlite_names_create(struct sqlite_store *store, const struct run *run)
{
	struct sqlite_names *names = memory_allocate(1, sizeof *names);

	names->store = store;
	names->run = run;
	for (enum own_table table = 0; table < OWN_TABLES; table++)
		create_table(names, table);
	sqlite_vocabulary_write(store);
	write_run(names);
	for (size_t i = 0; i < run->process_count; i++)
		write_process(names, &run->processes[i]);
	return names;
}

void sqlite_names_finish(struct sqlite_names *names)
{
	for (size_t i = 0; i < names_count(names->run->names); i++) {
		const struct routine *routine = names_routine(names->run->names, i);
		struct sqlite_row row = begin_row(names, OWN_ROUTINES);

		sqlite_row_number(&row, i);
		sqlite_row_text(&row, routine->name);
		sqlite_row_text(&row, routine->file);
		sqlite_row_text(&row, *routine->module ? routine->module : NULL);
		sqlite_row_end(&row);
	}
	for (size_t i = 0; i < OWN_TABLES; i++)
		sqlite3_finalize(names->inserts[i]);
	free(names);
}
