/* SPDX-License-Identifier: MIT */
/* diff_exchange KIBIBYTES: two ranks send each other 200 messages of that size in turn. */
#include "mpi_truth.h"

static char *data;

static NOINLINE void exchange(int bytes)
{
	int other = 1 - rank;

	for (int i = 0; i < 200; i++) {
		bool is_sender = i % 2 == rank;

		if (is_sender)
			CALL(Send, bytes, 0, data, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
		else
			CALL(Recv, 0, bytes, data, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		if (is_sender)
			sent_to(other, bytes);
		else
			got_from(other, bytes);
	}
	KEEP;
}

int main(int count, char **words)
{
	int bytes = (count > 1 ? atoi(words[1]) : 1) * 1024;

	begin();
	data = calloc(1, (size_t)bytes);
	exchange(bytes);
	free(data);
	return end();
}
