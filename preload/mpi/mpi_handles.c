/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_handles.h"

#include "preload/base/hash.h"
#include "preload/base/pages.h"

enum { CHUNK_BYTES = 16384 };

/* Memory from which entries are cut. */
struct mpi_chunk {
	uint64_t used; /* atomic: bytes */
	char entries[CHUNK_BYTES - sizeof(uint64_t)];
};

static uint64_t bucket_of(mpi_word handle)
{
	return hash_slot(handle, MPI_HANDLE_BUCKETS);
}

struct mpi_known *mpi_handles_find(const struct mpi_handles *handles, mpi_word handle)
{
	struct mpi_known *entry =
		__atomic_load_n(&handles->buckets[bucket_of(handle)], __ATOMIC_ACQUIRE);

	while (entry && __atomic_load_n(&entry->handle, __ATOMIC_ACQUIRE) != handle)
		entry = entry->next;
	return entry;
}

static struct mpi_known *cut(struct mpi_chunk *chunk, uint32_t bytes)
{
	uint64_t at = chunk ? __atomic_fetch_add(&chunk->used, bytes, __ATOMIC_RELAXED)
			    : sizeof chunk->entries;

	return at + bytes <= sizeof chunk->entries ? (struct mpi_known *)(chunk->entries + at)
						   : NULL;
}

static struct mpi_known *new_entry(struct mpi_handles *handles)
{
	for (;;) {
		struct mpi_chunk *chunk = __atomic_load_n(&handles->chunk, __ATOMIC_ACQUIRE);
		struct mpi_known *entry = cut(chunk, handles->entry_bytes);
		if (entry)
			return entry;
		struct mpi_chunk *made = pages_new(sizeof *made);
		if (!made)
			return NULL;
		if (!__atomic_compare_exchange_n(&handles->chunk, &chunk, made, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			pages_free(made, sizeof *made); /* another thread was quicker */
	}
}

static bool claim(struct mpi_known *entry)
{
	mpi_word free_handle = MPI_HANDLE_FREE;

	return !__atomic_load_n(&entry->handle, __ATOMIC_RELAXED) &&
	       __atomic_compare_exchange_n(&entry->handle, &free_handle, MPI_HANDLE_CLAIMED, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

struct mpi_known *mpi_handles_claim(struct mpi_handles *handles, mpi_word handle)
{
	struct mpi_known **head = &handles->buckets[bucket_of(handle)];
	struct mpi_known *entry = __atomic_load_n(head, __ATOMIC_ACQUIRE);

	for (; entry; entry = entry->next)
		if (claim(entry))
			return entry;
	entry = new_entry(handles);
	if (!entry)
		return NULL;
	entry->handle = MPI_HANDLE_CLAIMED;
	entry->next = __atomic_load_n(head, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(head, &entry->next, entry, false, __ATOMIC_RELEASE,
					    __ATOMIC_ACQUIRE))
		;
	return entry;
}

void mpi_handles_reset(struct mpi_handles *handles)
{
	for (int i = 0; i < MPI_HANDLE_BUCKETS; i++)
		for (struct mpi_known *entry = handles->buckets[i]; entry; entry = entry->next)
			entry->handle = MPI_HANDLE_FREE;
}
