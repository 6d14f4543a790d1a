/* SPDX-License-Identifier: MIT */
/* Rank 0 looks for messages of rank 1 that cannot be there, some times, with each call that looks
 * and does not wait; then it asks for them and looks until they are there. How often each call
 * found nothing is a fact of its own. With a number as argument both ranks look so often for a
 * message that nobody sends. */
#include "mpi_truth.h"

enum { TIMES = 20, BYTES = 8, MANY = 2 };

static char data[MANY][BYTES];
static MPI_Request requests[MANY];
static int go;

/* Rank 0 lets rank 1 send, or post. */
static void ask(void)
{
	CALL(Send, 0, 0, &go, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
	sent_to(1, 0);
}

static void await_question(void)
{
	CALL(Recv, 0, 0, &go, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	got_from(0, 0);
}

static void post(void)
{
	for (int i = 0; i < MANY; i++) {
		CALL(Irecv, 0, BYTES, data[i], BYTES, MPI_CHAR, 1, i, MPI_COMM_WORLD, &requests[i]);
		got_from(1, BYTES);
	}
}

static void answer(void)
{
	await_question();
	for (int i = 0; i < MANY; i++) {
		CALL(Send, BYTES, 0, data[i], BYTES, MPI_CHAR, 0, i, MPI_COMM_WORLD);
		sent_to(0, BYTES);
	}
}

/* Calls `name`, whose `found` is 0 if it found nothing, until `is_done`, but in vain at first. */
#define LOOK(name, found, is_done, ...)                                                            \
	do {                                                                                       \
		long long vain_ = 0;                                                               \
		for (bool has_asked_ = false; !(is_done);) {                                       \
			CALL(name, 0, 0, __VA_ARGS__);                                             \
			vain_ += !(found);                                                         \
			if (vain_ < TIMES || has_asked_)                                           \
				continue;                                                          \
			ask();                                                                     \
			has_asked_ = true;                                                         \
		}                                                                                  \
		check(vain_ >= TIMES, "MPI_" #name " found nothing at first");                     \
		truth("MPI_" #name, (double)vain_);                                                \
	} while (0)

static void receive_found(void)
{
	for (int i = 0; i < MANY; i++) {
		CALL(Recv, 0, BYTES, data[i], BYTES, MPI_CHAR, 1, i, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
		got_from(1, BYTES);
	}
}

static void probe(void)
{
	int flag = 0;
	MPI_Message message;

	LOOK(Iprobe, flag, flag, 1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	receive_found();
	flag = 0;
	LOOK(Improbe, flag, flag, 1, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	CALL(Mrecv, 0, BYTES, data[0], BYTES, MPI_CHAR, &message, MPI_STATUS_IGNORE);
	got_from(1, BYTES);
	CALL(Recv, 0, BYTES, data[1], BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	got_from(1, BYTES);
}

static void test_each(void)
{
	int flag = 0;

	post();
	LOOK(Request_get_status, flag, flag, requests[0], &flag, MPI_STATUS_IGNORE);
	CALL(Waitall, 0, 0, MANY, requests, MPI_STATUSES_IGNORE);
	post();
	flag = 0;
	LOOK(Test, flag, flag, &requests[0], &flag, MPI_STATUS_IGNORE);
	CALL(Wait, 0, 0, &requests[1], MPI_STATUS_IGNORE);
}

static void test_several(void)
{
	int flag = 0, index, indices[MANY], found = 0, done = 0;

	post();
	LOOK(Testall, flag, flag, MANY, requests, &flag, MPI_STATUSES_IGNORE);
	post();
	flag = 0;
	LOOK(Testany, flag, flag, MANY, requests, &index, &flag, MPI_STATUS_IGNORE);
	CALL(Waitall, 0, 0, MANY, requests, MPI_STATUSES_IGNORE);
	post();
	LOOK(Testsome, found, (done += found) == MANY, MANY, requests, &found, indices,
	     MPI_STATUSES_IGNORE);
}

static NOINLINE void look_often(int times)
{
	int flag;

	for (int i = 0; i < times; i++)
		CALL(Iprobe, 0, 0, 1 - rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	truth("MPI_Iprobe", times);
}

int main(int count, char **arguments)
{
	begin();
	if (count > 1) {
		look_often(atoi(arguments[1]));
	} else if (rank == 0) {
		probe();
		test_each();
		test_several();
	} else {
		for (int i = 0; i < 7; i++)
			answer();
	}
	return end();
}
