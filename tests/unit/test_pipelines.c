/* SPDX-License-Identifier: MIT */
/* Which ends belong together, and which stage of processes that pass data to each other is slow. */
#include "analyze/base/memory.h"
#include "analyze/model/pipelines/pipeline_words.h"
#include "analyze/model/pipelines/socket_address.h"
#include "analyze/model/process/process.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull
#define MS     1000000ull
#define MOST   24

/* Processes of one host, of one second each, with one thread. */
static struct run_process files[MOST];
static struct process processes[MOST];
static size_t process_count;
static struct pipe_ends ends;

static void begin(size_t count)
{
	process_count = count;
	ends = (struct pipe_ends){memory_allocate(4 * MOST, sizeof *ends.rows), 0, 4 * MOST};
	for (size_t i = 0; i < count; i++) {
		files[i] = (struct run_process){
			.header = {.pid = (uint32_t)(100 + i),
				   .start_ns = SECOND,
				   .start_realtime_ns = 1000 * SECOND},
			.process = {.command = "/usr/bin/stage -x", .host = "here"}};
		processes[i] =
			(struct process){.index = i,
					 .file = &files[i],
					 .elapsed_ns = SECOND,
					 .life.end_ns = 2 * SECOND,
					 .thread_lives = 1,
					 .sum = {.lifetime_ns = SECOND, .is_ready_known = true}};
	}
}

static void live(size_t process, uint64_t begin_ns, uint64_t end_ns)
{
	files[process].header.start_ns = begin_ns;
	files[process].header.start_realtime_ns = 999 * SECOND + begin_ns;
	processes[process].life.end_ns = end_ns;
	processes[process].elapsed_ns = end_ns - begin_ns;
}

static struct pipe_end *add_end(size_t process, enum pipe_kind kind, uint64_t inode,
				enum pipe_direction direction, uint64_t wait_ms)
{
	struct pipe_end *end = &ends.rows[ends.count++];

	*end = (struct pipe_end){
		.process = process, .kind = kind, .name = memory_copy_text(""), .inode = inode};
	end->flows[direction] = (struct pipe_flow){10, 1000, 5, wait_ms * MS, SECOND};
	processes[process].sum.by_cause_ns[direction == PIPE_READ ? CAUSE_READ : CAUSE_WRITE] +=
		wait_ms * MS;
	return end;
}

static void writes(size_t process, uint64_t inode, uint64_t wait_ms)
{
	add_end(process, PIPE_PIPE, inode, PIPE_WRITE, wait_ms);
}

static void reads(size_t process, uint64_t inode, uint64_t wait_ms)
{
	add_end(process, PIPE_PIPE, inode, PIPE_READ, wait_ms);
}

static void works(size_t process, uint64_t ms)
{
	processes[process].cpu_ns = ms * MS;
}

static struct pipelines made(void)
{
	return pipelines_of(ends, processes, process_count);
}

static void expect_verdict(enum pipeline_verdict verdict, size_t slow_process)
{
	struct pipelines all = made();

	ck_assert_uint_eq(all.count, 1);
	ck_assert_int_eq(all.rows[0].verdict, verdict);
	if (slow_process == SIZE_MAX)
		ck_assert_uint_eq(all.rows[0].slow, SIZE_MAX);
	else
		ck_assert_uint_eq(all.stages[all.rows[0].slow].process, slow_process);
	pipelines_clear(&all);
}

/* ---- which ends belong together */

START_TEST(ends_of_one_pipe_are_connected)
{
	begin(3);
	writes(0, 7, 100);
	reads(1, 7, 0);
	reads(2, 8, 0);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 1);
	ck_assert_uint_eq(all.connections.unmatched, 1);
	ck_assert_uint_eq(all.stage_count, 2);
	ck_assert_uint_eq(all.connections.rows[0].from.sum.bytes, 1000);
	pipelines_clear(&all);
}
END_TEST

/* The third process has both ends of a pipe, the fourth one reads what another program writes. */
START_TEST(waits_within_the_run_may_be_in_one_process)
{
	begin(4);
	writes(0, 7, 100);
	reads(1, 7, 20);
	writes(2, 8, 0);
	reads(2, 8, 3);
	reads(3, 9, 500);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 1);
	ck_assert_uint_eq(all.connections.within_ns, 123 * MS);
	ck_assert_uint_eq(all.connections.half.wait_ns, 500 * MS);
	pipelines_clear(&all);
}
END_TEST

START_TEST(other_hosts_and_other_starts_of_a_host_have_other_pipes)
{
	begin(3);
	writes(0, 7, 0);
	reads(1, 7, 0);
	reads(2, 7, 0);
	files[1].process.host = "there";
	files[2].header.start_realtime_ns += 3600 * SECOND;
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 0);
	ck_assert_uint_eq(all.connections.unmatched, 3);
	pipelines_clear(&all);
}
END_TEST

START_TEST(numbers_are_used_again)
{
	begin(4);
	live(2, 10 * SECOND, 11 * SECOND);
	live(3, 10 * SECOND, 11 * SECOND);
	writes(0, 7, 0);
	reads(1, 7, 0);
	writes(2, 7, 0);
	reads(3, 7, 0);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 2);
	ck_assert_uint_eq(all.count, 2);
	ck_assert_uint_eq(all.rows[0].count, 2);
	pipelines_clear(&all);
}
END_TEST

/* (a; b) | c, and a reader that began when the writer had ended. */
START_TEST(writers_may_follow_one_another)
{
	begin(3);
	live(0, SECOND, 2 * SECOND);
	live(1, 2 * SECOND + 1, 3 * SECOND);
	live(2, 2 * SECOND + SECOND / 2, 4 * SECOND);
	writes(0, 7, 0);
	writes(1, 7, 0);
	reads(2, 7, 0);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 1);
	ck_assert_uint_eq(all.connections.rows[0].from.count, 2);
	ck_assert_uint_eq(all.count, 1);
	pipelines_clear(&all);
}
END_TEST

START_TEST(a_pipe_to_oneself_is_no_connection)
{
	begin(2);
	writes(0, 7, 0);
	ends.rows[0].flows[PIPE_READ] = ends.rows[0].flows[PIPE_WRITE];
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 0);
	ck_assert_uint_eq(all.connections.unmatched, 1);
	pipelines_clear(&all);
}
END_TEST

static struct pipe_end *add_socket(size_t process, const char *name, uint64_t wait_ms)
{
	struct pipe_end *end = add_end(process, PIPE_TCP, 0, PIPE_READ, wait_ms), found;

	ck_assert(socket_end_of(name, &found));
	free((void *)end->name);
	end->name = found.name;
	end->kind = found.kind;
	end->is_accepted = found.is_accepted;
	end->flows[PIPE_WRITE] = (struct pipe_flow){10, 500, 0, 0, SECOND};
	return end;
}

START_TEST(sockets_are_two_connections)
{
	begin(2);
	add_socket(0, "tcp 127.0.0.1:80", 100);
	add_socket(1, "tcp [::ffff:7f00:1]:80, accepted", 300);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.count, 2);
	ck_assert_uint_eq(all.connections.unmatched, 0);
	char *name = connection_name(&all, &all.connections.rows[0]);
	ck_assert_str_eq(name, "tcp 127.0.0.1:80");
	free(name);
	pipelines_clear(&all);
}
END_TEST

START_TEST(what_is_no_stream_or_has_no_address_has_no_end)
{
	static const char *const names[] = {"udp 127.0.0.1:53", "tcp 127.0.0.1:80, listening",
					    "socket:[4711]", ""};
	struct pipe_end end;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert(!socket_end_of(names[i], &end));
	ck_assert(socket_end_of("unix @name, accepted", &end));
	ck_assert_str_eq(end.name, "@name");
	ck_assert(end.is_accepted);
	free((void *)end.name);
}
END_TEST

START_TEST(what_was_not_seen_is_counted)
{
	begin(2);
	add_end(0, PIPE_UNSEEN, 0, PIPE_WRITE, 0);
	struct pipelines all = made();

	ck_assert_uint_eq(all.connections.unseen.calls, 10);
	ck_assert_uint_eq(all.connections.unseen.bytes, 1000);
	ck_assert_uint_eq(all.connections.unmatched, 0);
	pipelines_clear(&all);
}
END_TEST

/* ---- who is slow */

/* 0 | 1 | 2 | 3 with these waits to read and to write, milliseconds of a second. */
static void chain(const unsigned waits_to_read[4], const unsigned waits_to_write[4])
{
	begin(4);
	for (size_t i = 0; i < 4; i++) {
		if (i)
			reads(i, i, waits_to_read[i]);
		if (i < 3)
			writes(i, i + 1, waits_to_write[i]);
	}
}

START_TEST(the_slow_one_is_who_does_not_wait)
{
	chain((unsigned[]){0, 10, 880, 960}, (unsigned[]){790, 10, 0, 0});
	works(1, 970);
	works(0, 200);
	struct pipelines all = made();
	char *text = pipeline_sentence(&all, &all.rows[0], processes);

	ck_assert_str_eq(text, "101 (stage) is busy 97 %: 100 (stage) waits to write to it 79 %, "
			       "102 (stage) waits to read from it 88 %");
	free(text);
	ck_assert(all.stages[1].process == 1 && all.stages[1].has_source && all.stages[1].has_sink);
	pipelines_clear(&all);
}
END_TEST

START_TEST(sources_and_sinks_are_slow_too)
{
	chain((unsigned[]){0, 950, 960, 970}, (unsigned[]){0, 0, 0, 0});
	processes[0].sum.by_cause_ns[CAUSE_READ] = 900 * MS; /* a file */
	expect_verdict(PIPELINE_OUTSIDE, 0);
	chain((unsigned[]){0, 10, 20, 30}, (unsigned[]){900, 900, 900, 0});
	works(3, 900);
	expect_verdict(PIPELINE_BUSY, 3);
	chain((unsigned[]){0, 10, 20, 30}, (unsigned[]){900, 900, 900, 0});
	processes[3].sum.by_cause_ns[CAUSE_SLEEP] = 900 * MS;
	expect_verdict(PIPELINE_ITSELF, 3);
}
END_TEST

START_TEST(in_balance_nobody_is_slow)
{
	chain((unsigned[]){0, 150, 150, 150}, (unsigned[]){150, 150, 150, 0});
	expect_verdict(PIPELINE_BALANCED, SIZE_MAX);
	/* each waits for the next: so little that nothing could be won */
	chain((unsigned[]){0, 0, 0, 0}, (unsigned[]){190, 0, 0, 0});
	expect_verdict(PIPELINE_BALANCED, SIZE_MAX);
	/* waited for, but no more than it waits itself */
	chain((unsigned[]){0, 190, 200, 200}, (unsigned[]){0, 0, 0, 0});
	expect_verdict(PIPELINE_BALANCED, SIZE_MAX);
}
END_TEST

START_TEST(two_that_take_turns)
{
	begin(2);
	writes(0, 1, 0);
	reads(1, 1, 300);
	writes(1, 2, 0);
	reads(0, 2, 680);
	works(1, 690);
	expect_verdict(PIPELINE_ALTERNATING, SIZE_MAX);
	/* the same pipes, but the asker goes on meanwhile */
	begin(2);
	writes(0, 1, 500);
	reads(1, 1, 10);
	writes(1, 2, 0);
	reads(0, 2, 0);
	works(1, 980);
	expect_verdict(PIPELINE_BUSY, 1);
}
END_TEST

START_TEST(a_server_keeps_its_clients_waiting)
{
	begin(21);
	add_socket(0, "unix /run/x, accepted", 20);
	works(0, 950);
	for (size_t i = 1; i < 21; i++)
		add_socket(i, "unix /run/x", 940);
	expect_verdict(PIPELINE_BUSY, 0);
}
END_TEST

/* Waits for events name no descriptor: they are for the only other process, if there is one. */
START_TEST(waits_for_events_are_for_the_only_peer)
{
	begin(2);
	add_socket(0, "tcp 127.0.0.1:80, accepted", 0);
	add_socket(1, "tcp 127.0.0.1:80", 0);
	works(0, 950);
	processes[1].sum.by_cause_ns[CAUSE_EVENTS] = 600 * MS;
	expect_verdict(PIPELINE_BUSY, 0);
}
END_TEST

/* A wait lasts until the thread has a processor again: that part is ready. */
START_TEST(who_is_ready_does_not_wait)
{
	begin(2);
	writes(0, 1, 900);
	reads(1, 1, 400);
	processes[1].sum.by_cause_ns[CAUSE_READ] = 10 * MS;
	processes[1].ready_ns = 800 * MS;
	works(1, 190);
	struct pipelines all = made();

	ck_assert(fabs(all.stages[1].read_ns - 10e6) < 1);
	ck_assert(fabs(all.stages[1].other_ns) < 1);
	pipelines_clear(&all);
}
END_TEST

/* Of several threads it is not known how much of their ready time was beside others that ran. */
START_TEST(several_threads_that_want_processors_are_busy)
{
	begin(2);
	writes(0, 1, 900);
	reads(1, 1, 10);
	processes[1].thread_lives = 3;
	processes[1].sum.lifetime_ns = 3 * SECOND;
	processes[1].is_concurrency_known = true;
	processes[1].executing_ns = 300 * MS;
	processes[1].ready_ns = 1500 * MS;
	expect_verdict(PIPELINE_BUSY, 1);
	begin(2);
	writes(0, 1, 900);
	reads(1, 1, 10);
	processes[1].thread_lives = 3;
	processes[1].is_concurrency_known = true;
	processes[1].executing_ns = 300 * MS;
	expect_verdict(PIPELINE_ITSELF, 1);
}
END_TEST

UNIT_MAIN("pipelines", several_threads_that_want_processors_are_busy,
	  ends_of_one_pipe_are_connected, waits_within_the_run_may_be_in_one_process,
	  other_hosts_and_other_starts_of_a_host_have_other_pipes, numbers_are_used_again,
	  writers_may_follow_one_another, a_pipe_to_oneself_is_no_connection,
	  sockets_are_two_connections, what_is_no_stream_or_has_no_address_has_no_end,
	  what_was_not_seen_is_counted, the_slow_one_is_who_does_not_wait,
	  sources_and_sinks_are_slow_too, in_balance_nobody_is_slow, two_that_take_turns,
	  a_server_keeps_its_clients_waiting, waits_for_events_are_for_the_only_peer,
	  who_is_ready_does_not_wait)
