/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_made.h"

#include "preload/mpi/mpi_arguments.h"
#include "preload/mpi/mpi_process.h"

static uint64_t mix_text(const char *text)
{
	uint64_t number = 1;

	while (text && *text)
		number = mpi_identity_mix(number + (unsigned char)*text++);
	return number;
}

/* Who agrees on how many were made before: the parent's members, its own members, or nobody. */
static struct mpi_descent descent_of(const struct mpi_state *state, const mpi_word *arguments)
{
	struct mpi_descent by_members = {.is_by_members = true};

	switch (state->number) {
	case MPI_CALL_Comm_create_group:
		by_members.tag = (uint32_t)at(arguments, 3);
		return by_members;
	case MPI_CALL_Intercomm_create:
		by_members.tag = (uint32_t)at(arguments, 5);
		return by_members;
	case MPI_CALL_Comm_create_from_group:
		by_members.tag = mix_text((const char *)at(arguments, 2));
		return by_members;
	case MPI_CALL_Intercomm_create_from_groups:
		by_members.tag = mix_text((const char *)at(arguments, 5));
		return by_members;
	case MPI_CALL_Comm_accept:
	case MPI_CALL_Comm_connect:
	case MPI_CALL_Comm_join:
	case MPI_CALL_Comm_spawn:
	case MPI_CALL_Comm_spawn_multiple:
		return (struct mpi_descent){0};
	default:
		return mpi_comm_descent(state->comm);
	}
}

static void count_spawned(const struct mpi_state *state, const mpi_word *arguments, mpi_word made)
{
	const struct mpi_call *call = &mpi_calls[state->number];

	if ((state->number != MPI_CALL_Comm_spawn &&
	     state->number != MPI_CALL_Comm_spawn_multiple) ||
	    !state->comm || (int32_t)at(arguments, call->root) != state->comm->rank)
		return;
	const struct mpi_comm *children = mpi_comm_find(made, 0);
	if (children)
		mpi_process_spawned(children->peers);
}

void mpi_made_comm(const struct mpi_state *state, const mpi_word *arguments)
{
	const struct mpi_call *call = &mpi_calls[state->number];
	mpi_word made = handle_behind(arguments, call->made);
	struct mpi_descent descent = descent_of(state, arguments);

	mpi_comm_made(&descent, made, state->site->caller);
	count_spawned(state, arguments, made);
	struct mpi_comm *comm = call->comm ? NULL : mpi_comm_find(made, 0);
	if (comm)
		mpi_process_grow(comm->size, comm->rank);
}
