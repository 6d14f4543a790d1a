/* SPDX-License-Identifier: MIT */
/* The name of the wait in which a thread was at the end. */
#include "analyze/export/chrome_wait.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/sync/sync_object.h"

#include <stdlib.h>
#include <string.h>

static char *mpi_call_name(const struct profile *profile, const struct thread_time *time)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];

		if (row->thread == time->index && row->callpath == time->thread->waiting_path)
			return memory_copy_text(profile->mpi_names.rows[row->call].name);
	}
	return memory_copy_text("an MPI call");
}

static char *object_name(struct names *names, const struct profile *profile,
			 const struct profile_thread *thread)
{
	struct sync_object object = sync_object_of(names, profile, thread->waiting_object,
						   open_wait_operation(profile, thread));
	char *name = sync_object_name(&object);
	bool is_call =
		!strcmp(object.kind, "call") || !strncmp(name, object.kind, strlen(object.kind));
	char *whole = is_call ? memory_copy_text(name) : memory_print("%s %s", object.kind, name);

	free(name);
	return whole;
}

char *chrome_wait_name(struct names *names, const struct profile *profile,
		       const struct thread_time *time)
{
	if (!time->open_wait_ns)
		return NULL;
	if (time->thread->waiting_cause == CAUSE_MPI)
		return mpi_call_name(profile, time);
	if (time->thread->waiting_cause == CAUSE_OPENMP && !time->thread->waiting_object)
		return memory_copy_text("OpenMP runtime");
	return object_name(names, profile, time->thread);
}
