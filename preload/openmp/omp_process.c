/* SPDX-License-Identifier: MIT */
#include "omp_process.h"

#include "lifecycle.h"
#include "omp_holders.h"
#include "omp_region.h"
#include "rows.h"
#include "settings.h"
#include "text.h"

#include <stddef.h>

static struct {
	enum omp_runtime runtime;
	char library[256];
	struct row_omp_process *row; /* atomic */
} process;

/* Fork child: the row is of the parent's file. */
static void forget(void)
{
	process.row = NULL;
	omp_region_reset();
	omp_lock_reset();
}

void omp_process_found(enum omp_runtime runtime, const char *library)
{
	if (process.runtime)
		return; /* the first one, if there are several */
	process.runtime = runtime;
	struct text text = {process.library, sizeof process.library, 0};
	text_add(&text, library);
	lifecycle_call_in_child(forget);
}

void omp_process_begin(void)
{
	static struct row_omp_process reserved;
	struct row_omp_process *none = NULL;

	/* two threads may come at once */
	if (!__atomic_compare_exchange_n(&process.row, &none, &reserved, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return;
	struct format_block *block = store_block(TABLE_omp_process, sizeof(struct row_omp_process),
						 FORMAT_NO_OWNER, 0, 1);
	if (!block)
		return;
	struct row_omp_process *row = store_rows(block);
	row->library = store_string(process.library);
	row->wait_policy = (uint32_t)settings.omp_wait_policy;
	row->flags = settings.omp_is_bound ? OMP_PROC_BIND : 0;
	__atomic_store_n(&row->runtime, (uint32_t)process.runtime, __ATOMIC_RELEASE);
	__atomic_store_n(&process.row, row, __ATOMIC_RELEASE);
}

void omp_process_region_begins(uint64_t now_ns)
{
	struct row_omp_process *row = __atomic_load_n(&process.row, __ATOMIC_ACQUIRE);

	if (row && !row->first_ns)
		row->first_ns = now_ns;
}

void omp_process_region_ended(uint64_t now_ns, uint32_t team)
{
	struct row_omp_process *row = __atomic_load_n(&process.row, __ATOMIC_ACQUIRE);

	if (!row)
		return;
	row->last_ns = now_ns;
	if (team > row->threads_most)
		row->threads_most = team;
}
