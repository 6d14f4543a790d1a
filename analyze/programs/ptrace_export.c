/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
/* ptrace-export: reads a run, computes its model, writes it in the format of another tool. */
#include "analyze/base/die.h"
#include "analyze/base/progress.h"
#include "analyze/export/export_options.h"
#include "analyze/model/run/run_create.h"
#include "analyze/print/output.h"
#include "analyze/programs/incomplete.h"

#include <stdlib.h>

/* A merged run has only sums by name. */
static void check_merged(const struct run_files *files, const struct export_format *format)
{
	if (files->merged_count && (format->needs & EXPORT_PROFILES))
		die("%s is a merged run, which keeps sums but no tables of the profiles: export "
		    "the run that it was merged of, or use ptrace-report --format csv",
		    files->directory);
}

/* What profiles tell of threads, only the tree tells in a merged run. */
static unsigned wants_of(const struct run_files *files, const struct export_format *format)
{
	return files->merged_count || format->needs & EXPORT_PATHS ? RUN_PATHS : 0;
}

static void write_export(struct export *export)
{
	bool is_own = export->format->needs & EXPORT_OWN_FILE;

	export->out = is_own ? NULL : output_open(export->output);
	export->format->write(export);
	progress_erase();
	if (!is_own)
		output_close(export->out, export->output);
}

static int export_run(struct export *export, const struct export_options *options)
{
	char *problem;
	struct run_files *files =
		run_files_open(options->run_count ? options->runs[0] : NULL, &problem);

	if (!files)
		die("%s", problem);
	check_merged(files, options->format);
	struct symbolizer *symbolizer = symbolizer_create(options->symbols);

	export->files = files;
	export->run = run_create(files, symbolizer, wants_of(files, options->format));
	write_export(export);
	int status = warn_incomplete(export->run->is_complete, &export->run->notes);

	run_destroy(export->run);
	symbolizer_destroy(symbolizer);
	run_files_destroy(files);
	return status;
}

/* The text is small, and made before the file is opened: if a run cannot be read, an existing file
 * is kept. */
static int export_runs(struct export *export)
{
	char *text;
	size_t size;

	export->out = open_memstream(&text, &size);
	if (!export->out)
		die("out of memory");
	export->format->write(export);
	fclose(export->out);
	progress_erase();
	FILE *out = output_open(export->output);

	fwrite(text, 1, size, out);
	output_close(out, export->output);
	free(text);
	int status = warn_incomplete(export->is_complete, &export->notes);

	text_list_clear(&export->notes);
	return status;
}

int main(int count, char **words)
{
	struct export_options options = export_options_read(count, words);
	struct export export = {
		.format = options.format,
		.output = options.output,
		.measure = options.measure,
		.runs = options.runs,
		.run_count = options.run_count,
		.symbols = options.symbols,
	};

	progress_enable();
	return options.format->needs & EXPORT_RUNS ? export_runs(&export)
						   : export_run(&export, &options);
}
