/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_abi.h"

#include "preload/base/direct.h"

#include <dlfcn.h>
#include <stddef.h>

const struct mpi_abi *mpi_abi;

static char version_text[256];

/* Open MPI's predefined handles are addresses: find_handles fills them in. */
static struct mpi_abi open_mpi = {
	.kind = MPI_ABI_OPEN_MPI,
	.in_place = 1,
	.proc_null = -2,
	.any_source = -1,
	.root = -4,
	.handle_bytes = 8,
	.status_bytes = 24,
	.source_at = 0,
	.error_at = 8,
	.error_in_status = 18,
	.level_unit = 1,
	.cart = 1,
	.graph = 2,
};

/* MPICH and libraries with its binary interface: Intel MPI, MVAPICH, Cray MPICH. */
static const struct mpi_abi mpich = {
	.kind = MPI_ABI_MPICH,
	.in_place = (mpi_word)-1,
	.status_ignore = 1,
	.statuses_ignore = 1,
	.proc_null = -1,
	.any_source = -2,
	.root = -3,
	.handle_bytes = 4,
	.status_bytes = 20,
	.source_at = 8,
	.error_at = 16,
	.error_in_status = 17,
	.level_unit = 1,
	.cart = 2,
	.graph = 1,
	.comm_world = 0x44000000,
	.comm_self = 0x44000001,
	.comm_null = 0x04000000,
};

/* The interface of the MPI-5.0 standard: libmpi_abi.so of any library. */
static const struct mpi_abi standard = {
	.kind = MPI_ABI_STANDARD,
	.in_place = 1,
	.proc_null = -3,
	.any_source = -1,
	.root = -4,
	.handle_bytes = 8,
	.status_bytes = 32,
	.source_at = 0,
	.error_at = 8,
	.error_in_status = 19,
	.level_unit = 1024,
	.cart = 211,
	.graph = 212,
	.comm_world = 0x101,
	.comm_self = 0x102,
	.comm_null = 0x100,
};

enum { STANDARD_BYTE = 0x247 }; /* its MPI_BYTE */

static bool has(const char *word)
{
	return strstr(version_text, word) != NULL;
}

/* The program may have its own copy (a copy relocation), which then takes precedence. */
static mpi_word find_handle(void *library, const char *name)
{
	void *handle = direct.dlsym(RTLD_DEFAULT, name);

	return (mpi_word)(handle || !library ? handle : direct.dlsym(library, name));
}

static bool find_handles(void)
{
	void *library = direct.dlopen(mpi_real_library(), RTLD_LAZY | RTLD_NOLOAD);

	open_mpi.comm_world = find_handle(library, "ompi_mpi_comm_world");
	open_mpi.comm_self = find_handle(library, "ompi_mpi_comm_self");
	open_mpi.comm_null = find_handle(library, "ompi_mpi_comm_null");
	return open_mpi.comm_world && open_mpi.comm_self && open_mpi.comm_null;
}

static const struct mpi_abi *choose(void)
{
	if (strstr(mpi_real_library(), "libmpi_abi"))
		return &standard;
	if (has("Open MPI"))
		return find_handles() ? &open_mpi : NULL;
	if (has("MPICH") || has("Intel(R) MPI") || has("MVAPICH"))
		return &mpich;
	return NULL;
}

void mpi_abi_find(void)
{
	static char text[8192 + 1]; /* as much as any library may write */
	int length = 0;

	if (mpi_abi || MPI_ASK(Get_library_version, text, &length))
		return;
	size_t line = strcspn(text, ",\n");
	if (line >= sizeof version_text)
		line = sizeof version_text - 1;
	memcpy(version_text, text, line);
	for (size_t i = 0; i < line; i++)
		if (version_text[i] == '\t')
			version_text[i] = ' ';
	mpi_abi = choose();
}

const char *mpi_abi_library(void)
{
	return version_text;
}

static uint64_t open_mpi_bytes(const void *status)
{
	uint64_t count;

	memcpy(&count, (const char *)status + 16, sizeof count);
	return count;
}

/* The count's upper bits share a word with the flag of cancellation, its lowest bit. */
static uint64_t mpich_bytes(const void *status)
{
	uint32_t low, high;

	memcpy(&low, status, sizeof low);
	memcpy(&high, (const char *)status + 4, sizeof high);
	return low | (uint64_t)(high >> 1) << 32;
}

static uint64_t standard_bytes(const void *status)
{
	int64_t count = 0;
	mpi_word byte = STANDARD_BYTE;

	if (MPI_ASK(Get_elements_x, status, byte, &count) || count < 0)
		return 0;
	return (uint64_t)count;
}

uint64_t mpi_status_bytes(const void *status)
{
	switch (mpi_abi->kind) {
	case MPI_ABI_OPEN_MPI:
		return open_mpi_bytes(status);
	case MPI_ABI_MPICH:
		return mpich_bytes(status);
	default:
		return standard_bytes(status);
	}
}
