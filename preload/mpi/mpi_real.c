/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_real.h"

#include "preload/base/hash.h"
#include "preload/file/note.h"
#include "preload/process/module_map.h"
#include "preload/process/linkage.h"

#include <stddef.h>

enum { PLACES = 1024, NAME_BYTES = 64 };

void *mpi_next[ENTRIES][MPI_CALL_COUNT];
int mpi_real_state;

static const char *library = "";
static const void *measured; /* atomic: where it is loaded; NULL: none was found yet */
static bool is_complete;     /* atomic: mpi_next is */

enum { CLAIMED = 1 }; /* instead of a caller: being written */

/* A call of one place (the caller), and the function that it reaches. Written once; any thread
 * reads it. */
struct place {
	uint64_t caller; /* atomic, published last; 0: free */
	void *function;
	uint16_t number;
	uint8_t entry;
	bool is_measured;
};

static struct place places[PLACES];

static const char *name_of(enum mpi_entry entry, enum mpi_call_number number, char name[NAME_BYTES])
{
	const char *from = mpi_calls[number].name;
	char *to = name;

	if (entry == ENTRY_PMPI)
		*to++ = 'P';
	while ((*to++ = *from++))
		;
	return name;
}

/* ---- the library that is measured ---- */

/* object: where to search; NULL: behind us. */
static void find_all(void *object)
{
	char name[NAME_BYTES];

	for (int i = 0; i < MPI_CALL_COUNT; i++) {
		mpi_next[ENTRY_MPI][i] = linkage_search(object, name_of(ENTRY_MPI, i, name));
		mpi_next[ENTRY_PMPI][i] = linkage_search(object, name_of(ENTRY_PMPI, i, name));
		if (!mpi_next[ENTRY_MPI][i])
			mpi_next[ENTRY_MPI][i] = mpi_next[ENTRY_PMPI][i];
	}
}

/* Measures the first library that is found; false: this is another one. Two threads may do this at
 * once: they write the same. */
static bool measure(void *object, void *init)
{
	const char *file;
	const void *known = NULL, *base = linkage_base(init, &file);

	if (!__atomic_compare_exchange_n(&measured, &known, base, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE) &&
	    known != base) {
		note_once(NOTE_MPI_SECOND, 0);
		return false;
	}
	if (__atomic_load_n(&is_complete, __ATOMIC_ACQUIRE))
		return true;
	linkage_keep(init);
	library = file;
	find_all(object);
	__atomic_store_n(&is_complete, true, __ATOMIC_RELEASE);
	return true;
}

/* For a caller that is bound to the library behind us. */
static bool measure_behind(void *init)
{
	bool is_it = measure(NULL, init);

	/* visible to the whole process from its start: every call goes there */
	if (is_it && module_map_is_permanent((uint64_t)init))
		__atomic_store_n(&mpi_real_state, 1, __ATOMIC_RELEASE);
	return is_it;
}

/* Whether the caller reaches an MPI, and it is the one that is measured. */
static bool reaches_measured(uint64_t caller)
{
	void *behind = linkage_behind("PMPI_Init");

	if (behind && linkage_was_there(behind, caller))
		return measure_behind(behind);
	void *object = linkage_open(caller);
	void *own = object ? linkage_search(object, "PMPI_Init") : NULL;
	void *stand_in = object ? linkage_search(object, "MPI_Init") : NULL;
	bool is_it = own ? measure(object, own) : behind && !stand_in && measure(NULL, behind);
	linkage_close(object);
	return is_it;
}

/* ---- who calls ---- */

static struct place *slot_of(enum mpi_entry entry, enum mpi_call_number number, uint64_t caller)
{
	return &places[hash_slot(caller + number * 2 + entry, PLACES)];
}

/* For a stand-in, only callers that were loaded at the start: no other code will ever be at their
 * address. */
static void remember(const struct place *place)
{
	struct place *slot = slot_of(place->entry, place->number, place->caller);
	uint64_t none = 0;

	if (!place->function || !(place->is_measured || module_map_is_permanent(place->caller)) ||
	    !__atomic_compare_exchange_n(&slot->caller, &none, CLAIMED, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return;
	slot->function = place->function;
	slot->number = place->number;
	slot->entry = place->entry;
	slot->is_measured = place->is_measured;
	__atomic_store_n(&slot->caller, place->caller, __ATOMIC_RELEASE);
}

static const struct place *known(enum mpi_entry entry, enum mpi_call_number number, uint64_t caller)
{
	const struct place *place = slot_of(entry, number, caller);

	return __atomic_load_n(&place->caller, __ATOMIC_ACQUIRE) == caller &&
			       place->number == number && place->entry == entry
		       ? place
		       : NULL;
}

static struct place search(enum mpi_entry entry, enum mpi_call_number number, uint64_t caller)
{
	struct place place = {caller, NULL, (uint16_t)number, (uint8_t)entry, false};
	char name[NAME_BYTES];

	place.is_measured = reaches_measured(caller);
	if (place.is_measured)
		place.function = mpi_next[entry][number];
	else
		place.function = linkage_find(name_of(entry, number, name), caller);
	remember(&place);
	return place;
}

void *mpi_real_route(enum mpi_entry entry, enum mpi_call_number number, uint64_t caller,
		     bool *is_measured)
{
	const struct place *place = known(entry, number, caller);
	struct place found;

	if (!place) {
		found = search(entry, number, caller);
		place = &found;
	}
	*is_measured = place->is_measured;
	return place->function;
}

void *mpi_real_find(const char *name, uint64_t caller, bool *is_measured)
{
	*is_measured = mpi_real_serves_all() || reaches_measured(caller);
	return linkage_find(name, caller);
}

const char *mpi_real_library(void)
{
	return library;
}

int mpi_ask(enum mpi_call_number number, const mpi_word arguments[5])
{
	int (*function)(mpi_word, mpi_word, mpi_word, mpi_word, mpi_word) = (int (*)(
		mpi_word, mpi_word, mpi_word, mpi_word, mpi_word))mpi_next[ENTRY_PMPI][number];

	return function ? function(arguments[0], arguments[1], arguments[2], arguments[3],
				   arguments[4])
			: -1;
}
