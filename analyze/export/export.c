/* SPDX-License-Identifier: MIT */
/* What formats take of a run. */
#include "analyze/export/export.h"

#include "analyze/base/progress.h"

/* A run with many threads keeps no rows of them, so they are read again. */
static void visit_profile(struct export *export, size_t index, const struct profile *profile,
			  export_visit *visit, void *data)
{
	struct process whole = {0};

	if (export->run->processes[index].threads) {
		visit(data, profile, &export->run->processes[index]);
		return;
	}
	process_start(&whole, export->files, index);
	process_read(&whole, profile, export->run->names);
	visit(data, profile, &whole);
	process_clear(&whole);
}

void export_profiles(struct export *export, export_visit *visit, void *data)
{
	for (size_t i = 0; i < export->run->process_count; i++) {
		progress_step("exporting profiles", i, export->run->process_count);
		if (export->files->processes[i].merged)
			continue;
		const struct profile *profile = run_files_profile(export->files, i);

		if (!profile)
			continue;
		visit_profile(export, i, profile, visit, data);
		names_forget(export->run->names);
		run_files_release(export->files, i);
	}
}

uint64_t export_measure_of(const struct path_figures *figures, enum export_measure measure)
{
	switch (measure) {
	case EXPORT_ALONE:
		return figures->alone_ns;
	case EXPORT_ELAPSED:
		return figures->elapsed_ns;
	case EXPORT_WAIT:
		return figures->wait_ns;
	default:
		return figures->cpu_ns;
	}
}

const char *export_measure_name(enum export_measure measure)
{
	static const char *const names[EXPORT_MEASURES] = {"cpu", "alone", "wait", "elapsed"};

	return measure < EXPORT_MEASURES ? names[measure] : NULL;
}
