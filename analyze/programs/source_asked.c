/* SPDX-License-Identifier: MIT */
#include "analyze/programs/source_asked.h"

#include "analyze/base/die.h"

#define ROUTINES 3 /* that are listed if none was asked for */

struct source_query source_asked_of(const struct report_options *options)
{
	return (struct source_query){.routine = options->routine,
				     .file = options->file,
				     .line = options->line,
				     .most = ROUTINES};
}

void source_asked_check(const struct run *run, const struct source_lines *lines,
			const struct source_query *query)
{
	struct source_listing listing = source_listing_of(run, lines, query, NULL);

	if (!listing.count && query->routine)
		die("--routine %s: the run has no such routine%s%s; --section routines --top 0 lists them",
		    query->routine, query->file ? " in " : "", query->file ? query->file : "");
	if (!listing.count && query->file)
		die("--file %s: the run has no figures of such a file; --section lines --top 0 lists them",
		    query->file);
	source_listing_clear(&listing);
}

/* The start of the first process, ns since 1970; 0: not known. */
static uint64_t begin_of(const struct run *run)
{
	uint64_t first_ns = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		uint64_t start_ns = run->processes[i].file->header.start_realtime_ns;

		if (!first_ns || (start_ns && start_ns < first_ns))
			first_ns = start_ns;
	}
	return first_ns;
}

static const char *build_id_of(const void *names, const char *object)
{
	return names_build_id(names, object);
}

static const char *embedded_in(const void *names, const char *object, const char *file)
{
	return names_source(names, object, file);
}

struct source_texts *source_asked_texts(const struct report_options *options, const struct run *run)
{
	const struct source_origin origin = {run->names, build_id_of, embedded_in,
					     options->source_paths.list,
					     options->source_paths.count};
	struct source_texts *texts = source_texts_create(
		options->source_paths.list, options->source_paths.count, begin_of(run));

	if (run->names)
		source_texts_use_origin(texts, &origin);
	return texts;
}
