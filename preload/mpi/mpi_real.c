/* SPDX-License-Identifier: MIT */
#include "mpi_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

void *mpi_next[ENTRIES][MPI_CALL_COUNT];
int mpi_real_state;

static const char *library = "";
static void *searched; /* the object through which MPI was found; NULL: it lies behind us */

/* Behind us in the order of loading; else among what the caller's object needs. */
static void *find(void *handle, const char *name)
{
	return dlsym(handle ? handle : RTLD_NEXT, name);
}

/* The object of an address, as something that dlsym searches; NULL: not found. */
static void *object_of(const void *address)
{
	Dl_info info;

	if (!dladdr(address, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static void find_all(void *handle)
{
	char name[64] = "P";

	for (int i = 0; i < MPI_CALL_COUNT; i++) {
		const char *from = mpi_calls[i].name;
		char *to = name + 1;
		while ((*to++ = *from++))
			;
		mpi_next[ENTRY_MPI][i] = find(handle, name + 1);
		mpi_next[ENTRY_PMPI][i] = find(handle, name);
		if (!mpi_next[ENTRY_MPI][i])
			mpi_next[ENTRY_MPI][i] = mpi_next[ENTRY_PMPI][i];
	}
}

/* Two threads may do this at once: they write the same. */
bool mpi_real_resolve(const void *caller)
{
	int saved = errno;
	void *handle = NULL;
	Dl_info info;

	if (!find(NULL, "PMPI_Init")) {
		handle = object_of(caller);
		if (!handle || !find(handle, "PMPI_Init")) {
			errno = saved;
			return false;
		}
	}
	find_all(handle);
	if (dladdr(mpi_next[ENTRY_PMPI][MPI_CALL_Init], &info) && info.dli_fname)
		library = info.dli_fname;
	searched = handle;
	__atomic_store_n(&mpi_real_state, 1, __ATOMIC_RELEASE);
	errno = saved;
	return true;
}

const char *mpi_real_library(void)
{
	return library;
}

void *mpi_real_find(const char *name)
{
	return find(searched, name);
}

void *mpi_real_find_for(const char *name, const void *caller)
{
	int saved = errno;
	void *function = find(NULL, name);
	void *handle = function ? NULL : object_of(caller);

	if (handle)
		function = find(handle, name);
	errno = saved;
	return function;
}

int mpi_ask(enum mpi_call_number number, const mpi_word arguments[5])
{
	int (*function)(mpi_word, mpi_word, mpi_word, mpi_word, mpi_word) = (int (*)(
		mpi_word, mpi_word, mpi_word, mpi_word, mpi_word))mpi_next[ENTRY_PMPI][number];

	return function ? function(arguments[0], arguments[1], arguments[2], arguments[3],
				   arguments[4])
			: -1;
}
