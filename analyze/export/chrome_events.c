/* SPDX-License-Identifier: MIT */
/* Clocks and events of a trace. The JSON is written by hand except for its texts: json-c would keep
 * the whole document in memory. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/export/chrome.h"
#include "analyze/export/export_text.h"
#include "analyze/model/process/process_clock.h"

#include <stdlib.h>

/* ---- clocks */

/* Clocks that differ can be compared only by the time of day; ranks are aligned better
 * (mpi_clocks.h). */
void chrome_read_clocks(struct chrome *chrome)
{
	const struct run *run = chrome->export->run;
	const struct mpi_ranks *ranks = &run->mpi.ranks;
	size_t base = ranks->count ? ranks->rows[0].process : 0;

	chrome->offset_of = memory_allocate(run->process_count, sizeof *chrome->offset_of);
	for (size_t i = 0; run->has_clocks && i < run->process_count; i++)
		chrome->offset_of[i] =
			number_difference(process_clock_offset_ns(&run->processes[i]),
					  process_clock_offset_ns(&run->processes[base]));
	for (size_t i = 0; run->host_count > 1 && i < ranks->count; i++)
		chrome->offset_of[ranks->rows[i].process] =
			number_of_signed_real(mpi_clocks_offset(&run->mpi.clocks, i));
	chrome->start_ns = INT64_MAX;
	for (size_t i = 0; i < run->process_count; i++) {
		int64_t start = number_sum((int64_t)run->processes[i].file->header.start_ns,
					   chrome->offset_of[i]);

		chrome->start_ns = start < chrome->start_ns ? start : chrome->start_ns;
	}
}

int64_t chrome_instant(const struct chrome *chrome, size_t process, uint64_t ns)
{
	return number_difference(number_sum((int64_t)ns, chrome->offset_of[process]),
				 chrome->start_ns);
}

/* ---- events */

void chrome_begin_event(struct chrome *chrome, char phase, size_t process, uint64_t thread,
			const char *name)
{
	fprintf(chrome->out,
		"%s\n{\"ph\":\"%c\",\"pid\":%zu,\"tid\":%llu,\"name\":", chrome->separator, phase,
		process + 1, (unsigned long long)thread);
	export_json_text(chrome->out, name);
	chrome->separator = ",";
}

void chrome_put_instant(struct chrome *chrome, const char *key, int64_t ns)
{
	fprintf(chrome->out, ",\"%s\":", key);
	export_microseconds(chrome->out, ns < 0 ? 0 : ns);
}

void chrome_put_text(struct chrome *chrome, const char *key, const char *text)
{
	fprintf(chrome->out, "\"%s\":", key);
	export_json_text(chrome->out, text);
}

void chrome_name_track(struct chrome *chrome, const char *what, size_t process, uint64_t thread,
		       const char *name)
{
	chrome_begin_event(chrome, 'M', process, thread, what);
	fputs(",\"args\":{", chrome->out);
	chrome_put_text(chrome, "name", name);
	fputs("}}", chrome->out);
}

void chrome_put_place(struct chrome *chrome, const struct profile *profile, size_t callpath)
{
	struct names *names = chrome->export->run->names;
	const struct frame *frame = names_user_frame(names, profile, callpath);

	char *place = frame ? names_place_text(names, frame->routine, frame->line)
			    : memory_copy_text("[unknown]");

	chrome_put_text(chrome, "place", place);
	free(place);
}
