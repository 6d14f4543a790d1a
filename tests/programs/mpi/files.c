/* SPDX-License-Identifier: MIT */
/* MPI-IO in the directory that SCRATCH names: what is read is what the status says, also where the
 * file ends too early; what is written is what was asked for. Two ranks, 100 ints each. */
#include "mpi_truth.h"

enum { N = 100, BYTES = N * 4 };
static int out[N], in[N];
static MPI_File file;
static MPI_Status status;

static int elements(void)
{
	int count = -1;

	CALL(Get_count, 0, 0, &status, MPI_INT, &count);
	return count;
}

static void at_places(MPI_Offset mine)
{
	CALL(File_write_at, BYTES, 0, file, mine, out, N, MPI_INT, MPI_STATUS_IGNORE);
	CALL(File_sync, 0, 0, file);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	CALL(File_read_at, 0, BYTES, file, mine, in, N, MPI_INT, &status);
	check(elements() == N && in[N - 1] == rank + 1, "MPI_File_read_at");
	/* 30 ints before the end of the file */
	CALL(File_read_at, 0, 120, file, (MPI_Offset)size * BYTES - 120, in, N, MPI_INT, &status);
	check(elements() == 30, "a read beyond the end of the file");
	CALL(File_read_at, 0, 0, file, (MPI_Offset)size * BYTES, in, N, MPI_INT, MPI_STATUS_IGNORE);
	CALL(File_write_at_all, BYTES, 0, file, mine, out, N, MPI_INT, &status);
	CALL(File_read_at_all, 0, BYTES, file, mine, in, N, MPI_INT, MPI_STATUS_IGNORE);
}

static void one_after_the_other(MPI_Offset mine)
{
	CALL(File_seek, 0, 0, file, mine, MPI_SEEK_SET);
	CALL(File_write, 40, 0, file, out, 10, MPI_INT, MPI_STATUS_IGNORE);
	CALL(File_read, 0, 80, file, in, 20, MPI_INT, &status);
	check(elements() == 20, "MPI_File_read");
	CALL(File_seek, 0, 0, file, mine, MPI_SEEK_SET);
	CALL(File_write_all, BYTES, 0, file, out, N, MPI_INT, MPI_STATUS_IGNORE);
	CALL(File_seek, 0, 0, file, mine, MPI_SEEK_SET);
	CALL(File_read_all, 0, BYTES, file, in, N, MPI_INT, MPI_STATUS_IGNORE);
}

static void in_the_background(MPI_Offset mine)
{
	MPI_Request request;

	CALL(File_iwrite_at, BYTES, 0, file, mine, out, N, MPI_INT, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(File_iread_at, 0, BYTES, file, mine, in, N, MPI_INT, &request);
	CALL(Wait, 0, 0, &request, &status);
	check(elements() == N && in[0] == rank + 1, "MPI_File_iread_at");
	CALL(File_iread_at, 0, BYTES, file, mine, in, N, MPI_INT, &request);
	CALL(Wait, 0, 0, &request, MPI_STATUS_IGNORE);
	CALL(Barrier, 0, 0, MPI_COMM_WORLD);
	CALL(File_write_at_all_begin, BYTES, 0, file, mine, out, N, MPI_INT);
	CALL(File_write_at_all_end, 0, 0, file, out, MPI_STATUS_IGNORE);
	CALL(File_read_at_all_begin, 0, 0, file, mine, in, N, MPI_INT);
	CALL(File_read_at_all_end, 0, BYTES, file, in, &status);
	check(elements() == N, "MPI_File_read_at_all_end");
}

int main(void)
{
	char path[4096];
	MPI_Offset length;

	begin();
	for (int i = 0; i < N; i++)
		out[i] = rank + 1;
	snprintf(path, sizeof path, "%s/data", getenv("SCRATCH") ? getenv("SCRATCH") : "/tmp");
	CALL(File_open, 0, 0, MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
	     &file);
	at_places((MPI_Offset)rank * BYTES);
	one_after_the_other((MPI_Offset)rank * BYTES);
	in_the_background((MPI_Offset)rank * BYTES);
	CALL(File_get_size, 0, 0, file, &length);
	check(length == (MPI_Offset)size * BYTES, "the length of the file");
	CALL(File_close, 0, 0, &file);
	return end();
}
