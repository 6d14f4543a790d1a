/* SPDX-License-Identifier: MIT */
/* The table of calls as data. What the headers of MPI libraries say about it,
 * scripts/check-mpi-calls compares. */
#include "preload/mpi/mpi_call.h"

#include "tests/unit/unit.h"

#include <stdbool.h>
#include <string.h>

static void within(const struct mpi_call *call, unsigned position, const char *what)
{
	ck_assert_msg(position <= call->arity, "%s has %u arguments, %s is %u", call->name,
		      call->arity, what, position);
}

START_TEST(every_number_has_a_row)
{
	for (int i = 0; i < MPI_CALL_COUNT; i++) {
		ck_assert_ptr_nonnull(mpi_calls[i].name);
		ck_assert_msg(!strncmp(mpi_calls[i].name, "MPI_", 4), "%s", mpi_calls[i].name);
		ck_assert_uint_le(mpi_calls[i].arity, MPI_ARGUMENTS_MOST);
		/* mpi_real.c builds "P" and the name in 64 characters */
		ck_assert_uint_lt(strlen(mpi_calls[i].name) + 2, 64);
	}
}
END_TEST

START_TEST(names_are_unique)
{
	for (int i = 0; i < MPI_CALL_COUNT; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(mpi_calls[i].name, mpi_calls[j].name);
}
END_TEST

START_TEST(positions_are_arguments)
{
	for (int i = 0; i < MPI_CALL_COUNT; i++) {
		const struct mpi_call *call = &mpi_calls[i];
		const struct {
			const char *what;
			unsigned position;
		} positions[] = {
			{"send count", call->send.count},
			{"send type", call->send.type},
			{"send buffer", call->send.buffer},
			{"send extra", call->send.extra},
			{"receive count", call->receive.count},
			{"receive type", call->receive.type},
			{"receive buffer", call->receive.buffer},
			{"receive extra", call->receive.extra},
			{"comm", call->comm},
			{"window", call->window},
			{"target", call->target},
			{"source", call->source},
			{"root", call->root},
			{"request", call->request},
			{"many", call->many},
			{"index", call->index},
			{"flag", call->flag},
			{"status", call->status},
			{"statuses", call->statuses},
			{"made", call->made},
			{"message", call->message},
		};
		for (size_t j = 0; j < sizeof positions / sizeof *positions; j++)
			within(call, positions[j].position, positions[j].what);
		if (call->special == SPECIAL_WAITSOME)
			within(call, call->index + 1u, "indices");
	}
}
END_TEST

/* A position that the recorder reads without asking whether there is one. */
START_TEST(what_a_row_needs_is_there)
{
	for (int i = 0; i < MPI_CALL_COUNT; i++) {
		const struct mpi_call *call = &mpi_calls[i];
		const struct mpi_message_bytes *flows[] = {&call->send, &call->receive};
		for (int j = 0; j < 2; j++) {
			bool is_counted =
				flows[j]->shape != SHAPE_NONE && flows[j]->shape != SHAPE_STATUS;
			ck_assert_msg(!is_counted || flows[j]->type, "%s: type", call->name);
			ck_assert_msg(!is_counted || flows[j]->shape == SHAPE_BLOCK ||
					      flows[j]->count,
				      "%s: count", call->name);
			ck_assert_msg(flows[j]->where == WHERE_ALL || call->root, "%s: root",
				      call->name);
			ck_assert_msg((flows[j]->shape == SHAPE_PARTS) == (flows[j]->extra != 0),
				      "%s: partitions", call->name);
		}
		ck_assert_msg(call->receive.shape != SHAPE_STATUS || call->status || call->request,
			      "%s: status", call->name);
		ck_assert_msg(call->class != MPI_CLASS_SENDRECV || call->source, "%s: source",
			      call->name);
		ck_assert_msg(!(call->comm && call->window), "%s: comm and window", call->name);
	}
}
END_TEST

START_TEST(large_calls_are_twins)
{
	int twins = 0;

	for (int i = 1; i < MPI_CALL_COUNT; i++) {
		const struct mpi_call *call = &mpi_calls[i], *plain = &mpi_calls[i - 1];
		size_t length = strlen(plain->name);
		if (strncmp(call->name, plain->name, length) || strcmp(call->name + length, "_c") ||
		    call->arity != plain->arity)
			continue;
		ck_assert_msg(call->large && !plain->large, "%s", call->name);
		ck_assert_uint_eq(call->class, plain->class);
		ck_assert_uint_eq(call->special, plain->special);
		ck_assert_int_eq(memcmp(&call->send, &plain->send, sizeof call->send), 0);
		ck_assert_int_eq(memcmp(&call->receive, &plain->receive, sizeof call->receive), 0);
		twins++;
	}
	ck_assert_int_gt(twins, 100);
}
END_TEST

UNIT_MAIN("mpi_call", every_number_has_a_row, names_are_unique, positions_are_arguments,
	  what_a_row_needs_is_there, large_calls_are_twins)
