/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_call.h"

/* How mpi_calls.def writes flows. */
#define FLOW(kind, at, number, of, who)                                                            \
	{                                                                                          \
		.shape = SHAPE_##kind, .buffer = (at), .count = (number), .type = (of),            \
		.where = (who)                                                                     \
	}
#define ONE(buffer, count, type)             FLOW(ONE, buffer, count, type, WHERE_ALL)
#define BLOCK(buffer, type)                  FLOW(BLOCK, buffer, 0, type, WHERE_ALL)
#define EACH(buffer, count, type)            FLOW(EACH, buffer, count, type, WHERE_ALL)
#define EACH_MEMBER(buffer, count, type)     FLOW(EACH_MEMBER, buffer, count, type, WHERE_ALL)
#define LIST(buffer, counts, type)           FLOW(LIST, buffer, counts, type, WHERE_ALL)
#define MEMBER_LIST(buffer, counts, type)    FLOW(MEMBER_LIST, buffer, counts, type, WHERE_ALL)
#define TYPED(buffer, counts, types)         FLOW(TYPED, buffer, counts, types, WHERE_ALL)
#define MINE(buffer, counts, type)           FLOW(MINE, buffer, counts, type, WHERE_ALL)
#define EDGES(buffer, count, type)           FLOW(EDGES, buffer, count, type, WHERE_ALL)
#define EDGE_LIST(buffer, counts, type)      FLOW(EDGE_LIST, buffer, counts, type, WHERE_ALL)
#define EDGE_TYPED(buffer, counts, types)    FLOW(EDGE_TYPED, buffer, counts, types, WHERE_ALL)
#define AT_ROOT(kind, buffer, count, type)   FLOW(kind, buffer, count, type, WHERE_ROOT)
#define ELSEWHERE(kind, buffer, count, type) FLOW(kind, buffer, count, type, WHERE_OTHERS)
#define STATUS                                                                                     \
	{                                                                                          \
		.shape = SHAPE_STATUS                                                              \
	}
#define RECEIVED(of)                                                                               \
	{                                                                                          \
		.shape = SHAPE_STATUS, .type = (of)                                                \
	}
#define PARTS(parts, many, of)                                                                     \
	{                                                                                          \
		.shape = SHAPE_PARTS, .count = (many), .type = (of), .extra = (parts)              \
	}

/* A row may set .large itself: there are calls whose counts always have 64 bits. */
#define ROW(call, label, words, kind, ...)                                                         \
	[MPI_CALL_##call] = {                                                                      \
		.name = label, .arity = (words), .class = MPI_CLASS_##kind, ##__VA_ARGS__},

const struct mpi_call mpi_calls[MPI_CALL_COUNT] = {
#define MPI_CALL(call, words, kind, ...) ROW(call, "MPI_" #call, words, kind, ##__VA_ARGS__)
#define MPI_CALLS(call, words, kind, ...)                                                          \
	ROW(call, "MPI_" #call, words, kind, ##__VA_ARGS__)                                        \
	ROW(call##_c, "MPI_" #call "_c", words, kind, .large = 1, ##__VA_ARGS__)
#define MPI_LEFT(call, why)
#include "preload/mpi/mpi_calls.def"
#undef MPI_CALL
#undef MPI_CALLS
#undef MPI_LEFT
};
