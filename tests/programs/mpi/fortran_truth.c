/* SPDX-License-Identifier: MIT */
/* mpi_truth.h for Fortran programs: what they say of their own calls. No MPI call is made here. */
#include "mpi_truth.h"

void truth_begin(int my_rank, int ranks);
void truth_call(const char *name, int sent, int received);
void truth_sent(int peer, int bytes);
void truth_got(int peer, int bytes);
void truth_check(int is_right, const char *what);
int truth_end_all(void);

static const char *names[CALLS_MOST];

/* account() keeps the name, and Fortran passes a copy of it. */
static const char *keep(const char *name)
{
	const char **slot = names;

	while (*slot && strcmp(*slot, name))
		slot++;
	if (slot == names + CALLS_MOST - 1)
		abort();
	if (!*slot)
		*slot = strdup(name);
	return *slot;
}

void truth_begin(int my_rank, int ranks)
{
	rank = my_rank;
	size = ranks;
}

void truth_call(const char *name, int sent, int received)
{
	account(keep(name), 1, 0, sent, received);
}

void truth_sent(int peer, int bytes)
{
	sent_to(peer, bytes);
}

void truth_got(int peer, int bytes)
{
	got_from(peer, bytes);
}

void truth_check(int is_right, const char *what)
{
	check(is_right, what);
}

int truth_end_all(void)
{
	tell();
	return mistakes ? 1 : 0;
}
