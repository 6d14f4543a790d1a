/* SPDX-License-Identifier: MIT */
#include "analyze/programs/merge_run.h"

#include "analyze/model/run/run_accounts.h"

/* The run takes ownership of what the accounts have: run_destroy releases it with the rest. */
static void finish(struct run *run, struct accounts *accounts)
{
	run->synchronization = synchronization_account_finish(accounts->synchronization);
	run->routines = routine_account_finish(accounts->routines);
	run->mpi = mpi_account_end(accounts->mpi);
	omp_account_destroy(accounts->omp);
	run->timeline = run_timeline_finish(accounts->timeline);
	run->paths = path_account_finish(accounts->paths);
	run_notes_account_finish(accounts->notes, run);
}

struct run *merge_run_read(struct run_files *files, struct symbolizer *symbolizer,
			   struct merged_writer *writer)
{
	struct accounts accounts;
	struct run *run = run_read(files, symbolizer, RUN_PATHS, &accounts);

	run_write_merged(run, &accounts, writer);
	finish(run, &accounts);
	return run;
}

void merge_run_destroy(struct run *run)
{
	text_list_clear(&run->module_notes);
	run_destroy(run);
}
