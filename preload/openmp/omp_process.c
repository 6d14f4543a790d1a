/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_process.h"

#include "preload/base/likely.h"
#include "preload/base/text.h"
#include "preload/file/rows.h"
#include "preload/life/lifecycle.h"
#include "preload/openmp/omp_lock_filter.h"
#include "preload/openmp/omp_region.h"
#include "preload/process/settings.h"

#include <stddef.h>

/* A process may have one of each kind; of several copies of libgomp the first one is named. */
struct runtime {
	bool is_found; /* atomic, set last */
	char library[256];
	struct row_omp_process *row; /* atomic; NULL: not written yet */
};

static struct runtime runtimes[] = {[OMP_LIBGOMP] = {0}, [OMP_OMPT] = {0}};

enum { RUNTIMES = sizeof runtimes / sizeof *runtimes };

/* Fork child: the rows are of the parent's file. */
static void forget(void)
{
	for (int i = 0; i < RUNTIMES; i++)
		runtimes[i].row = NULL;
	omp_region_reset();
	omp_lock_reset();
}

void omp_process_found(enum omp_runtime runtime, const char *library)
{
	struct runtime *found = &runtimes[runtime];

	if (found->is_found)
		return;
	struct text text = {found->library, sizeof found->library, 0};
	text_add(&text, library);
	__atomic_store_n(&found->is_found, true, __ATOMIC_RELEASE);
	lifecycle_call_in_child(forget);
}

static void write_row(enum omp_runtime runtime)
{
	static struct row_omp_process reserved;
	struct runtime *of = &runtimes[runtime];
	struct row_omp_process *none = NULL;

	/* two threads may call this at once */
	if (!__atomic_compare_exchange_n(&of->row, &none, &reserved, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return;
	struct format_block *block = store_block(TABLE_omp_process, sizeof(struct row_omp_process),
						 FORMAT_NO_OWNER, 0, 1);
	if (!block)
		return;
	struct row_omp_process *row = store_rows(block);
	row->library = store_string(of->library);
	row->wait_policy = (uint32_t)settings.omp_wait_policy;
	row->flags = settings.omp_is_bound ? OMP_PROC_BIND : 0;
	__atomic_store_n(&row->runtime, (uint32_t)runtime, __ATOMIC_RELEASE);
	__atomic_store_n(&of->row, row, __ATOMIC_RELEASE);
}

void omp_process_begin(void)
{
	for (int i = 0; i < RUNTIMES; i++)
		if (__atomic_load_n(&runtimes[i].is_found, __ATOMIC_ACQUIRE))
			write_row((enum omp_runtime)i);
}

static struct row_omp_process *row_of(enum omp_runtime runtime)
{
	return __atomic_load_n(&runtimes[runtime].row, __ATOMIC_ACQUIRE);
}

void omp_process_region_begins(enum omp_runtime runtime, uint64_t now_ns)
{
	struct row_omp_process *row = row_of(runtime);

	if (unlikely(!row)) { /* it was loaded after a thread had used another one */
		omp_process_begin();
		row = row_of(runtime);
	}
	if (row && !row->first_ns)
		row->first_ns = now_ns;
}

void omp_process_region_ended(enum omp_runtime runtime, uint64_t now_ns, uint32_t team)
{
	struct row_omp_process *row = row_of(runtime);

	if (!row)
		return;
	row->last_ns = now_ns;
	if (team > row->threads_most)
		row->threads_most = team;
}
