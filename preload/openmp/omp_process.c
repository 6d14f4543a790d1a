/* SPDX-License-Identifier: MIT */
#include "omp_process.h"

#include "rows.h"
#include "settings.h"

#include <stddef.h>
#include <unistd.h>

static struct {
	enum omp_runtime runtime;
	const char *library;
	int pid;
	struct row_omp_process *row; /* atomic */
} process;

void omp_process_found(enum omp_runtime runtime, const char *library)
{
	process.runtime = runtime;
	process.library = library;
}

bool omp_process_begin(void)
{
	int pid = getpid(), known = __atomic_load_n(&process.pid, __ATOMIC_ACQUIRE);

	if (known == pid || !__atomic_compare_exchange_n(&process.pid, &known, pid, false,
							 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return false;
	__atomic_store_n(&process.row, NULL, __ATOMIC_RELEASE);
	struct format_block *block = store_block(TABLE_omp_process, sizeof(struct row_omp_process),
						 FORMAT_NO_OWNER, 0, 1);
	if (!block)
		return known != 0;
	struct row_omp_process *row = store_rows(block);
	row->library = store_string(process.library ? process.library : "");
	row->wait_policy = (uint32_t)settings.omp_wait_policy;
	row->flags = settings.omp_is_bound ? OMP_PROC_BIND : 0;
	__atomic_store_n(&row->runtime, (uint32_t)process.runtime, __ATOMIC_RELEASE);
	__atomic_store_n(&process.row, row, __ATOMIC_RELEASE);
	return known != 0;
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
