/* SPDX-License-Identifier: MIT */
/* Views for common questions: a table of name, question and SQL. Columns named *_ns are times in
 * nanoseconds, as in the tables. */
#include "analyze/export/sqlite_views.h"

#include "preload/file/vocabulary.h"

#include <stddef.h>
#include <strings.h>

struct sqlite_view {
	const char *name, *question, *sql;
};

/* The names of the causes that are input and output, and those of locks, each with a comma before
 * it. */
#define IO_NAME(name, class, text) IO_NAME_##class(text)
#define IO_NAME_IO(text)           ", '" text "'"
#define IO_NAME_LOCK(text)
#define IO_NAME_ELSE(text)
#define LOCK_NAME(name, class, text) LOCK_NAME_##class(text)
#define LOCK_NAME_IO(text)
#define LOCK_NAME_LOCK(text) ", '" text "'"
#define LOCK_NAME_ELSE(text)

/* As io_direction.h has them, of what can be called on a pipe. */
#define READS  "'read', 'readv', 'fread', 'getline', 'getc', 'splice', 'tee'"
#define WRITES "'write', 'writev', 'vmsplice', 'fwrite', 'printf', 'fflush', 'sendfile'"

static const struct sqlite_view views[] = {
	{"symbols",
	 "which routines a place of the code belongs to: depth 0 is the innermost inlined one",
	 "SELECT f.process, f.callpath, f.depth, r.name AS routine, r.file, f.line, r.module "
	 "FROM frames f JOIN routines r ON r.routine = f.routine"},
	{"callers",
	 "the next outer frame: within the same place, as long as there are inlined routines, or in "
	 "the calling place; up is 0 at the root",
	 "SELECT f.process, f.callpath, f.depth, CASE WHEN g.depth THEN f.callpath ELSE c.parent END "
	 "AS up, coalesce(g.depth, 0) AS up_depth "
	 "FROM frames f JOIN callpaths c ON c.process = f.process AND c.row = f.callpath "
	 "LEFT JOIN frames g ON g.process = f.process AND g.callpath = f.callpath AND "
	 "g.depth = f.depth + 1"},
	{"user_places", "the innermost routine of a call path that a user would recognise",
	 "SELECT p.process, p.callpath, r.name AS routine, r.file, p.line "
	 "FROM places p JOIN routines r ON r.routine = p.routine"},
	{"thread_names", "whose row of a thread it is",
	 "SELECT t.process, t.row AS thread, p.rank, p.host, p.pid, t.tid, t.name "
	 "FROM threads t JOIN processes p ON p.process = t.process WHERE t.tid"},
	{"thread_states", "where the lifetime of each thread went",
	 "SELECT n.*, a.lifetime_ns, t.user_ns, t.system_ns, a.ready_ns, t.voluntary_switches, "
	 "t.involuntary_switches, t.samples, a.blocked_ns "
	 "FROM threads t JOIN thread_names n ON n.process = t.process AND n.thread = t.row "
	 "JOIN thread_times a ON a.process = t.process AND a.thread = t.row"},
	{"thread_off", "time of each thread off the processor by cause, where it was recorded",
	 "SELECT n.*, c.name AS cause, CAST(e.value AS INTEGER) AS off_ns "
	 "FROM threads t JOIN thread_names n ON n.process = t.process AND n.thread = t.row, "
	 "json_each(t.off_by_cause_ns) e JOIN causes c ON c.cause = e.key WHERE e.value"},
	{"routine_times",
	 "CPU time by routine, its share of elapsed time, and the part of that in which no other "
	 "thread of its process ran; what no sample claimed is not here",
	 "SELECT s.process, s.thread, y.routine, y.file, y.line, y.module, s.level, s.cpu_ns, "
	 "h.elapsed_ns, h.alone_ns, s.count AS samples "
	 "FROM samples s JOIN symbols y ON y.process = s.process AND y.callpath = s.callpath AND "
	 "y.depth = 0 LEFT JOIN sample_shares h ON h.process = s.process AND h.thread = s.thread "
	 "AND h.callpath = s.callpath AND h.level = s.level AND h.cause = IFNULL(s.cause, 0)"},
	{"lock_waits", "who waited for what, where and how long",
	 "SELECT w.process, w.thread, o.kind, o.name AS object, c.name AS cause, "
	 "q.name AS operation, u.routine, u.file, u.line, w.waits, w.wait_ns, w.max_ns "
	 "FROM (SELECT process, thread, object, callpath, cause, operation, count AS waits, "
	 "sum_ns AS wait_ns, max_ns FROM waits UNION ALL "
	 "SELECT process, thread, object, callpath, cause, operation, 1, wait_ns, wait_ns "
	 "FROM waits_at_end) w JOIN causes c ON c.cause = w.cause "
	 "JOIN operations q ON q.operation = w.operation "
	 "LEFT JOIN object_names o ON o.process = w.process AND o.object = w.object "
	 "LEFT JOIN user_places u ON u.process = w.process AND u.callpath = w.callpath"},
	{"lock_holders", "who kept others waiting for what; routine is the holder",
	 "SELECT b.process, b.thread AS victim, o.kind, o.name AS object, c.name AS cause, "
	 "u.routine, u.file, u.line, b.time_ns AS wait_ns, "
	 "CASE WHEN b.holder_for_threads THEN 0 ELSE b.holder_io_ns END AS holder_io_ns, "
	 "CASE WHEN b.holder_for_threads THEN b.holder_io_ns ELSE 0 END AS holder_wait_ns, "
	 "i.routine AS io_routine, i.line AS io_line, p.name AS io_object "
	 "FROM blame b JOIN causes c ON c.cause = b.cause "
	 "LEFT JOIN object_names o ON o.process = b.process AND o.object = b.object "
	 "LEFT JOIN user_places u ON u.process = b.process AND u.callpath = b.callpath "
	 "LEFT JOIN user_places i ON i.process = b.process AND i.callpath = b.holder_io_path "
	 "LEFT JOIN object_names p ON p.process = b.process AND p.object = b.holder_io_object "
	 "UNION ALL SELECT w.process, w.thread, o.kind, o.name, c.name, w.holder, NULL, 0, "
	 "w.held_ns, 0, 0, NULL, NULL, NULL "
	 "FROM waits_at_end w JOIN causes c ON c.cause = w.cause "
	 "LEFT JOIN object_names o ON o.process = w.process AND o.object = w.object "
	 "WHERE w.held_ns"},
	{"lock_calls", "calls on each object, and how many of them waited",
	 "SELECT a.process, o.kind, o.name AS object, q.name AS operation, sum(a.calls) AS calls, "
	 "sum(a.waits) AS waits, sum(a.wait_ns) AS wait_ns FROM ("
	 "SELECT process, object, operation, 0 AS cause, count AS calls, 0 AS waits, 0 AS wait_ns "
	 "FROM tallies UNION ALL "
	 "SELECT process, object, operation, cause, count, count - CASE WHEN cause IN "
	 "(SELECT cause FROM causes WHERE name IN ('join'" CAUSE_LIST(
		 LOCK_NAME) ")) THEN ifnull(failed, 0) ELSE 0 END, sum_ns FROM waits UNION ALL "
			    "SELECT process, object, operation, cause, 1, 1, wait_ns FROM waits_at_end) a "
			    "JOIN operations q ON q.operation = a.operation "
			    "LEFT JOIN object_names o ON o.process = a.process AND o.object = a.object "
			    "WHERE a.cause NOT IN (SELECT cause FROM causes WHERE name IN (''" CAUSE_LIST(
				    IO_NAME) ")) GROUP BY a.process, a.object, a.operation"},
	{"io_times", "calls of input and output by place; their waits are in lock_waits",
	 "SELECT i.process, i.thread, o.kind, o.name AS object, q.name AS operation, u.routine, "
	 "u.file, u.line, i.count AS calls, i.bytes, i.failed "
	 "FROM io_calls i JOIN operations q ON q.operation = i.operation "
	 "LEFT JOIN object_names o ON o.process = i.process AND o.object = i.object "
	 "LEFT JOIN user_places u ON u.process = i.process AND u.callpath = i.callpath "
	 "WHERE i.count"},
	{"pipe_ends", "what each process wrote to pipes and read from them, by the pipe's number",
	 "SELECT p.process, p.host, p.pid, o.offset AS device, o.address AS inode, n.name, "
	 "sum(CASE WHEN q.name IN (" WRITES ") THEN i.count ELSE 0 END) AS writes, "
	 "sum(CASE WHEN q.name IN (" WRITES ") THEN i.bytes ELSE 0 END) AS bytes_written, "
	 "sum(CASE WHEN q.name IN (" READS ") THEN i.count ELSE 0 END) AS reads, "
	 "sum(CASE WHEN q.name IN (" READS ") THEN i.bytes ELSE 0 END) AS bytes_read "
	 "FROM io_calls i JOIN processes p ON p.process = i.process "
	 "JOIN objects o ON o.process = i.process AND o.row = i.object "
	 "JOIN object_names n ON n.process = i.process AND n.object = i.object AND n.kind = 'pipe' "
	 "JOIN operations q ON q.operation = i.operation "
	 "WHERE i.count GROUP BY p.process, o.row"},
	{"pipes", "who wrote to whom by a pipe or FIFO while both lived; waits are in lock_waits",
	 "SELECT w.host, w.pid AS from_pid, r.pid AS to_pid, w.device, w.inode, w.writes, "
	 "w.bytes_written, r.reads, r.bytes_read "
	 "FROM pipe_ends w JOIN pipe_ends r ON r.host = w.host AND r.device = w.device AND "
	 "r.inode = w.inode AND r.process <> w.process AND r.reads AND w.writes "
	 "JOIN processes a ON a.process = w.process JOIN processes b ON b.process = r.process "
	 "WHERE a.start_ns <= b.end_ns AND b.start_ns <= a.end_ns + 1000000000"},
	{"open_waits", "threads that were waiting when the process ended, or was looked at",
	 "SELECT n.*, c.name AS cause, o.kind, o.name AS object, u.routine, u.file, u.line, "
	 "p.end_ns - t.waiting_since_ns AS wait_ns "
	 "FROM threads t JOIN thread_names n ON n.process = t.process AND n.thread = t.row "
	 "JOIN processes p ON p.process = t.process "
	 "LEFT JOIN causes c ON c.cause = t.waiting_cause "
	 "LEFT JOIN object_names o ON o.process = t.process AND o.object = t.waiting_object "
	 "LEFT JOIN user_places u ON u.process = t.process AND u.callpath = t.waiting_path "
	 "WHERE t.waiting_since_ns"},
	{"mpi_times", "time in MPI calls by rank, call and place",
	 "SELECT p.rank, m.process, m.thread, n.name AS call, k.name AS class, u.routine, u.file, "
	 "u.line, m.count AS calls, m.sum_ns, CASE WHEN m.max_ns THEN m.min_ns END AS min_ns, "
	 "m.max_ns, m.bytes_sent, m.bytes_received "
	 "FROM mpi_calls m JOIN processes p ON p.process = m.process "
	 "JOIN mpi_names n ON n.process = m.process AND n.row = m.call "
	 "LEFT JOIN mpi_classes k ON k.class = n.class "
	 "LEFT JOIN user_places u ON u.process = m.process AND u.callpath = m.callpath"},
	{"rank_traffic", "messages and bytes by pair of ranks, as the first one saw them",
	 "SELECT p.rank, CASE m.peer WHEN 4294967295 THEN NULL ELSE m.peer - 1 END AS peer, "
	 "sum(m.messages_sent) AS messages_sent, sum(m.bytes_sent) AS bytes_sent, "
	 "sum(m.messages_received) AS messages_received, "
	 "sum(m.bytes_received) AS bytes_received, sum(m.wait_ns) AS wait_ns "
	 "FROM mpi_peers m JOIN processes p ON p.process = m.process GROUP BY p.rank, m.peer"},
	{"levels", "T_i of each process",
	 "SELECT c.process, k.name AS kind, c.active, c.time_ns "
	 "FROM concurrency c JOIN concurrency_kinds k ON k.kind = c.kind"},
	{"activity", "threads useful, or on a processor, over time: averages of one bin",
	 "SELECT t.process, m.name AS metric, (t.bin << t.shift) - p.start_ns AS begin_ns, "
	 "1 << t.shift AS length_ns, t.time_ns, 1.0 * t.time_ns / (1 << t.shift) AS threads "
	 "FROM timeline t JOIN processes p ON p.process = t.process "
	 "JOIN metrics m ON m.metric = t.metric"},
	{"region_times", "OpenMP regions: what the time of their teams was spent on",
	 "SELECT e.process, u.routine, u.file, u.line, e.team, sum(e.count) AS count, "
	 "sum(e.elapsed_ns) AS elapsed_ns, sum(e.work_ns) AS work_ns, sum(e.wait_ns) AS wait_ns, "
	 "sum(e.join_ns) AS join_ns, sum(e.fork_ns) AS fork_ns "
	 "FROM omp_executions e JOIN omp_regions g ON g.process = e.process AND g.row = e.region "
	 "LEFT JOIN user_places u ON u.process = g.process AND u.callpath = g.place "
	 "GROUP BY e.process, e.region, e.team"},
	{"in_sections",
	 "how long each thread was in each section itself, and how long those took that ended",
	 "SELECT n.*, s.row AS section, s.parent, k.name AS section_kind, s.name AS section_name, "
	 "t.count, t.ended, t.own_ns, t.own_cpu_ns, t.sum_ns, t.min_ns, t.max_ns "
	 "FROM section_times t JOIN sections s ON s.process = t.process AND s.row = t.section "
	 "JOIN section_kinds k ON k.kind = s.kind "
	 "JOIN thread_names n ON n.process = t.process AND n.thread = t.thread"},
};

void sqlite_views_write(struct sqlite_store *store)
{
	sqlite_store_run(store, "CREATE TABLE views (name TEXT PRIMARY KEY, question TEXT)");
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		sqlite_store_run(store, "CREATE VIEW %s AS %s", views[i].name, views[i].sql);
		sqlite_store_run(store, "INSERT INTO views VALUES ('%q', '%q')", views[i].name,
				 views[i].question);
	}
}

bool sqlite_views_has(const char *name)
{
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		if (!strcasecmp(views[i].name, name))
			return true;
	return !strcasecmp(name, "views");
}
