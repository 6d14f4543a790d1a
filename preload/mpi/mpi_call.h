/* SPDX-License-Identifier: MIT */
/* The MPI calls that are interposed, as data: what each argument is. Made from mpi_calls.def, the
 * only list. Needs no mpi.h, because every argument of every call is a machine word (C handle,
 * pointer, integer) and the positions are the same in all MPI libraries.
 *
 * Positions are numbers of arguments, from 1; 0: the call has no argument of that kind. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

enum { MPI_ARGUMENTS_MOST = 16 };

/* How many elements a pair of arguments (count, type) stands for. In an intercommunicator "each
 * rank" means those of the other group, except in what reductions scatter: the counts of
 * MPI_Reduce_scatter are those of the own group (MPI-4.0, 6.10.1 and 6.10.2). */
enum mpi_shape {
	SHAPE_NONE,
	SHAPE_ONE,         /* count elements of type */
	SHAPE_BLOCK,       /* type itself: one element, no count argument */
	SHAPE_EACH,        /* count elements for each rank of the communicator */
	SHAPE_EACH_MEMBER, /* count elements for each rank of the own group */
	SHAPE_LIST,        /* count is an array, one for each rank */
	SHAPE_MEMBER_LIST, /* count is an array, one for each rank of the own group */
	SHAPE_TYPED,       /* count and type are arrays, one for each rank (the w-variants) */
	SHAPE_MINE,        /* count is an array, of which the entry of this rank applies */
	SHAPE_EDGES,       /* count elements for each neighbour in the topology */
	SHAPE_EDGE_LIST,   /* count is an array, one for each neighbour */
	SHAPE_EDGE_TYPED,  /* count and type are arrays, one for each neighbour */
	SHAPE_STATUS,      /* as the status says when the call, or its request, is complete */
	SHAPE_PARTS, /* partitioned: count elements for each of the partitions given by `extra` */
};

/* Which ranks have a flow of a rooted collective. */
enum mpi_where { WHERE_ALL, WHERE_ROOT, WHERE_OTHERS };

struct mpi_message_bytes {
	uint8_t shape; /* enum mpi_shape */
	uint8_t count, type;
	uint8_t buffer; /* not counted if it is MPI_IN_PLACE; 0: cannot be */
	uint8_t where;  /* enum mpi_where */
	uint8_t extra;
};

/* What to do besides counting, timing and the two flows. */
enum mpi_special {
	SPECIAL_NONE,
	SPECIAL_REQUEST,    /* writes a request that is under way at argument `request` */
	SPECIAL_PERSISTENT, /* writes a request for later starts */
	SPECIAL_START,      /* starts the request at `request` */
	SPECIAL_STARTALL,   /* starts the `many` requests at `request` */
	SPECIAL_WAIT,       /* completes the request at `request`; MPI_Test: if `flag` says so */
	SPECIAL_WAITALL,    /* all of `many` requests; MPI_Testall: if `flag` says so */
	SPECIAL_WAITANY,  /* one of `many`, the index in `index`; MPI_Testany: if `flag` says so */
	SPECIAL_WAITSOME, /* of `many`: number in `index`, indices in the next argument */
	SPECIAL_REQUEST_FREE,
	SPECIAL_COMM_NEW,    /* makes the communicator at `made` out of `comm` */
	SPECIAL_COMM_FREE,   /* frees the communicator that `comm` points to */
	SPECIAL_TYPE_FREE,   /* frees the type that argument 1 points to */
	SPECIAL_WINDOW_NEW,  /* makes the window at `made` for `comm` */
	SPECIAL_WINDOW_FREE, /* frees the window that argument 1 points to */
	SPECIAL_INIT,
	SPECIAL_SESSION,
	SPECIAL_FINALIZE,
	SPECIAL_ABORT,
	SPECIAL_INITIALIZED, /* MPI_Initialized, MPI_Finalized: also without MPI */
};

struct mpi_call {
	const char *name;
	uint8_t arity;
	uint8_t class;   /* enum mpi_class */
	uint8_t special; /* enum mpi_special */
	uint8_t large;   /* counts are 64 bits (MPI_Count): the _c calls */
	struct mpi_message_bytes send, receive;
	uint8_t comm;   /* communicator, by value; of SPECIAL_COMM_FREE its address */
	uint8_t window; /* window, by value: `target` is a rank of its group */
	uint8_t target; /* rank that is sent to */
	uint8_t source; /* rank that is received from; it may be MPI_ANY_SOURCE: see the status */
	uint8_t root;
	uint8_t request, many, index;
	uint8_t flag; /* what a call that does not wait found, 0: nothing; of some it is a number */
	uint8_t status;   /* written by the call; may be MPI_STATUS_IGNORE */
	uint8_t statuses; /* the same, an array for `many` requests */
	uint8_t made;
	uint8_t message; /* of a matched probe, and of the receive that takes it */
};

/* Numbers of calls: MPI_CALL_Send, ... */
enum mpi_call_number {
#define MPI_CALL(name, arity, class, ...)  MPI_CALL_##name,
#define MPI_CALLS(name, arity, class, ...) MPI_CALL_##name, MPI_CALL_##name##_c,
#define MPI_LEFT(name, why)
#include "preload/mpi/mpi_calls.def"
#undef MPI_CALL
#undef MPI_CALLS
#undef MPI_LEFT
	MPI_CALL_COUNT,
};

extern const struct mpi_call mpi_calls[MPI_CALL_COUNT] __attribute__((visibility("hidden")));
