/* SPDX-License-Identifier: MIT */
/* What every MPI test program needs: its calls, counted and timed by itself, with the bytes that
 * they move as the program's author knows them. Each rank writes its truth as JSON to RANK.json in
 * the directory that MPI_TRUTH names; without one, nowhere. A wrong result makes the exit status 1.
 *
 *   CALL(Send, 80, 0, data, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
 *
 * makes the call, and says that it gives 80 bytes and gets none. A nonblocking receive gets its
 * bytes where it is posted; a persistent request gets them, with ALSO, at each start, in the call
 * that made it. Messages to and from other ranks are told apart: sent_to, got_from. */
#pragma once
#include "../truth.h"

#include <mpi.h>
#include <stdbool.h>

enum { CALLS_MOST = 96, PEERS_MOST = 16 };

struct call_truth {
	const char *name;
	long long count, sent, received;
	double seconds;
};

struct peer_truth {
	long long messages, bytes, received_messages, received_bytes;
};

static struct call_truth call_truths[CALLS_MOST];
static struct peer_truth peer_truths[PEERS_MOST];
static int rank, size, mistakes;
static bool
	truth_lock; /* of call_truths and peer_truths, between the threads of MPI_THREAD_MULTIPLE */

static void lock_truth(void)
{
	while (__atomic_test_and_set(&truth_lock, __ATOMIC_ACQUIRE))
		;
}

static void unlock_truth(void)
{
	__atomic_clear(&truth_lock, __ATOMIC_RELEASE);
}

static void account(const char *name, long long count, double seconds, long long sent,
		    long long received)
{
	lock_truth();
	struct call_truth *call = call_truths;
	while (call->name && strcmp(call->name, name))
		call++;
	if (call >= call_truths + CALLS_MOST - 1)
		abort();
	call->name = name;
	call->count += count;
	call->seconds += seconds;
	call->sent += sent;
	call->received += received;
	unlock_truth();
}

static inline void sent_to(int peer, long long bytes)
{
	lock_truth();
	peer_truths[peer].messages++;
	peer_truths[peer].bytes += bytes;
	unlock_truth();
}

static inline void got_from(int peer, long long bytes)
{
	lock_truth();
	peer_truths[peer].received_messages++;
	peer_truths[peer].received_bytes += bytes;
	unlock_truth();
}

#define CALL(name, sent, received, ...)                                                            \
	do {                                                                                       \
		double before_ = now();                                                            \
		int code_ = MPI_##name(__VA_ARGS__);                                               \
		account("MPI_" #name, 1, now() - before_, sent, received);                         \
		check(code_ == MPI_SUCCESS, "MPI_" #name " succeeds");                             \
	} while (0)

/* More bytes of calls that have been counted. */
#define ALSO(name, sent, received) account("MPI_" #name, 0, 0, sent, received)

static inline void check(bool is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
	mistakes++;
}

/* Writes what is known so far; truth() of truth.h adds facts. */
static void tell(void)
{
	char path[4096];
	char *text;
	size_t length;
	const char *directory = getenv("MPI_TRUTH");

	if (!directory)
		return;
	snprintf(path, sizeof path, "%s/%d.json", directory, rank);
	FILE *file = open_memstream(&text, &length);
	if (!file)
		abort();
	fprintf(file, "{\"rank\": %d, \"size\": %d, \"pid\": %d, \"calls\": {", rank, size,
		(int)getpid());
	for (struct call_truth *call = call_truths; call->name; call++)
		fprintf(file,
			"%s\"%s\": {\"count\": %lld, \"seconds\": %.9f, \"bytes_sent\": %lld, \"bytes_received\": %lld}",
			call == call_truths ? "" : ", ", call->name, call->count, call->seconds,
			call->sent, call->received);
	fprintf(file, "}, \"peers\": {");
	const char *comma = "";
	for (int i = 0; i < PEERS_MOST; i++) {
		struct peer_truth *peer = &peer_truths[i];
		if (!peer->messages && !peer->received_messages)
			continue;
		fprintf(file,
			"%s\"%d\": {\"messages\": %lld, \"bytes\": %lld, \"received_messages\": %lld, \"received_bytes\": %lld}",
			comma, i, peer->messages, peer->bytes, peer->received_messages,
			peer->received_bytes);
		comma = ", ";
	}
	fprintf(file, "}, \"facts\": %s}}\n", truth_text);
	fclose(file);
	truth_write(path, text);
	free(text);
}

/* The program's first call. */
static inline void begin(void)
{
	CALL(Init, 0, 0, NULL, NULL);
	CALL(Comm_rank, 0, 0, MPI_COMM_WORLD, &rank);
	CALL(Comm_size, 0, 0, MPI_COMM_WORLD, &size);
}

/* Its last one; the exit status. */
static inline int end(void)
{
	CALL(Finalize, 0, 0);
	tell();
	return mistakes ? 1 : 0;
}
