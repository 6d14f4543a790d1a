/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_holder_io.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_waits.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/run.h"

#include <stdlib.h>

/* Blame does not tell idle waiters from others: they have their share of it. */
double finding_holder_io_ns(const struct sync_row *row)
{
	double ns = 0;

	for (size_t i = 0; i < row->blame.count; i++)
		ns += (double)row->blame.rows[i].holder_io.ns;
	return row->wait_ns ? ns * (double)sync_row_working_ns(row) / (double)row->wait_ns : 0;
}

bool finding_is_held_in_io(const struct run *run, const struct sync_row *row, unsigned causes)
{
	return finding_is_wait_for(run, row, causes) &&
	       finding_holder_io_ns(row) >= finding_limits.most * (double)sync_row_working_ns(row);
}

const struct sync_site *finding_io_holder(const struct sync_row *row)
{
	const struct sync_site *most = NULL;

	for (size_t i = 0; i < row->blame.count; i++) {
		const struct sync_site *site = &row->blame.rows[i];

		if (site->holder_io.ns && (!most || site->holder_io.ns > most->holder_io.ns))
			most = site;
	}
	return most;
}

char *finding_holder_io_text(const struct run *run, const struct sync_site *holder)
{
	const struct sync_holder_io *io = &holder->holder_io;
	char *place = names_place_text(run->names, io->routine, io->line);
	char *text = memory_print("waited for input and output, most of it in %s of %s at %s",
				  vocabulary_call(io->operation),
				  run->synchronization.names[io->object], place);

	free(place);
	return text;
}
