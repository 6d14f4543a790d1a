/* SPDX-License-Identifier: MIT */
/* Layouts and constants as the libraries' own mpi.h have them: written here as structs, so that
 * offsets are the compiler's. The end-to-end cases show that the installed libraries have them. */
#include "preload/mpi/mpi_abi.h"

#include "tests/unit/unit.h"

/* ompi/include/mpi.h.in of Open MPI 1.x to 5.x */
struct open_mpi_status {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
	size_t ucount;
};

/* src/include/mpi.h.in of MPICH 3.1 to 4.x: the MPICH ABI Compatibility Initiative */
struct mpich_status {
	int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;
};

static const char *version;

static int get_library_version(char *text, int *length)
{
	strcpy(text, version);
	*length = (int)strlen(text);
	return 0;
}

/* Open MPI's predefined objects, in the program as after a copy relocation. */
char ompi_mpi_comm_world[512], ompi_mpi_comm_self[512], ompi_mpi_comm_null[512];

static void library_says(const char *text)
{
	version = text;
	mpi_next[ENTRY_PMPI][MPI_CALL_Get_library_version] = get_library_version;
	mpi_abi_find();
}

/* The kind is found once in a process. */
#define FAMILY(test, text)                                                                         \
	START_TEST(test)                                                                           \
	{                                                                                          \
		library_says(text);                                                                \
		ck_assert_ptr_nonnull(mpi_abi);                                                    \
		ck_assert_int_eq(mpi_abi->kind, MPI_ABI_MPICH);                                    \
	}                                                                                          \
	END_TEST
FAMILY(intel_is_as_mpich, "Intel(R) MPI Library 2021.11 for Linux* OS\n")
FAMILY(mvapich_is_as_mpich, "MVAPICH Version      :  3.0\nMVAPICH Release date")
FAMILY(cray_is_as_mpich, "MPI VERSION    : CRAY MPICH version 8.1.28.15 (ANL base 3.4a2)\n")

START_TEST(mpich_layout)
{
	struct mpich_status status = {.MPI_SOURCE = 7, .MPI_TAG = 8, .MPI_ERROR = 9};
	const uint32_t handles[] = {0x44000000, 0x84000001};

	library_says("MPICH Version:\t4.0.2\n");
	ck_assert_uint_eq(mpi_abi->status_bytes, sizeof status);
	ck_assert_int_eq(mpi_status_source(&status), 7);
	status.count_lo = -16; /* 4 GiB - 16 */
	ck_assert_uint_eq(mpi_status_bytes(&status), UINT32_MAX - UINT64_C(15));
	status.count_hi_and_cancelled = 3 << 1 | 1;
	ck_assert_uint_eq(mpi_status_bytes(&status), (UINT64_C(3) << 32) + UINT32_MAX - 15);
	ck_assert_uint_eq(mpi_handle(UINT64_C(0xdeadbeef44000000)), 0x44000000);
	ck_assert_uint_eq(mpi_handle_at((mpi_word)handles, 1), 0x84000001);
	ck_assert_uint_eq(mpi_abi->in_place, (mpi_word)-1);
	ck_assert_uint_eq(mpi_abi->status_ignore, 1);
	ck_assert_uint_eq(mpi_abi->statuses_ignore, 1);
	ck_assert_str_eq(mpi_abi_library(), "MPICH Version: 4.0.2");
}
END_TEST

START_TEST(open_mpi_layout)
{
	struct open_mpi_status status = {.MPI_SOURCE = 7, .ucount = UINT64_C(5) << 32};
	const mpi_word handles[] = {1, UINT64_C(0x7f0044000000)};

	library_says("Open MPI v4.1.4, package: Debian Open MPI, ident: 4.1.4\n");
	ck_assert_ptr_nonnull(mpi_abi);
	ck_assert_int_eq(mpi_abi->kind, MPI_ABI_OPEN_MPI);
	ck_assert_uint_eq(mpi_abi->comm_world, (mpi_word)ompi_mpi_comm_world);
	ck_assert_uint_eq(mpi_abi->comm_null, (mpi_word)ompi_mpi_comm_null);
	ck_assert_uint_eq(mpi_abi->status_bytes, sizeof status);
	ck_assert_int_eq(mpi_status_source(&status), 7);
	ck_assert_uint_eq(mpi_status_bytes(&status), UINT64_C(5) << 32);
	ck_assert_uint_eq(mpi_handle(handles[1]), handles[1]);
	ck_assert_uint_eq(mpi_handle_at((mpi_word)handles, 1), handles[1]);
	ck_assert_uint_eq(mpi_abi->in_place, 1);
	ck_assert_uint_eq(mpi_abi->status_ignore, 0);
	ck_assert_str_eq(mpi_abi_library(), "Open MPI v4.1.4");
}
END_TEST

/* 0, 1, 2, 3 in the libraries' own interfaces; MPI-5.0 leaves room between them. */
START_TEST(thread_levels_are_numbered)
{
	static const int32_t plain[] = {0, 1, 2, 3}, standard[] = {0, 1024, 2048, 4096};
	static const struct mpi_abi with_room = {.level_unit = 1024};

	library_says("MPICH Version:\t4.0.2\n");
	for (uint32_t i = 0; i < 4; i++)
		ck_assert_uint_eq(mpi_abi_level(plain[i]), i);
	mpi_abi = &with_room;
	for (uint32_t i = 0; i < 4; i++)
		ck_assert_uint_eq(mpi_abi_level(standard[i]), i);
}
END_TEST

START_TEST(unknown_libraries_are_left_alone)
{
	library_says("Some MPI 1.0\n");
	ck_assert_ptr_null(mpi_abi);
	ck_assert_str_eq(mpi_abi_library(), "Some MPI 1.0");
}
END_TEST

START_TEST(a_text_of_any_length_is_taken)
{
	static char longest[8192];

	memset(longest, 'x', sizeof longest - 1);
	library_says(longest);
	ck_assert_ptr_null(mpi_abi);
	ck_assert_uint_gt(strlen(mpi_abi_library()), 100);
	ck_assert_uint_lt(strlen(mpi_abi_library()), 1000);
}
END_TEST

UNIT_MAIN("mpi_abi", intel_is_as_mpich, mvapich_is_as_mpich, cray_is_as_mpich, mpich_layout,
	  open_mpi_layout, thread_levels_are_numbered, unknown_libraries_are_left_alone,
	  a_text_of_any_length_is_taken)
