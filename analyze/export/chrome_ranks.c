/* SPDX-License-Identifier: MIT */
/* Collective calls of MPI in a trace, with arrows from the rank that was waited for. */
#include "analyze/base/number.h"
#include "analyze/export/chrome.h"

/* No thread of Linux has this number (pid_max is at most 2^22). Collective calls do not say which
 * thread made them, so they have a track of their own. */
#define COLLECTIVES_TRACK ((1u << 22) + 1)

/* An arrow from the rank that was waited for to the one that waited: to the rest of its call, which
 * is a slice of its own, since Perfetto lets arrows point to the slice that begins later, and the
 * waiting call began first.
 *
 * Viewers find the slices at both ends by time: at a slice's end Chrome's viewer finds none, and at
 * its beginning Perfetto finds only one that comes earlier in the file. Hence the ends are a
 * nanosecond inside. */
static void write_arrow(struct chrome *chrome, int64_t from_ns, size_t from, int64_t leave_ns,
			size_t to)
{
	uint64_t id = ++chrome->arrows;

	chrome_begin_event(chrome, 'X', to, COLLECTIVES_TRACK, "after the wait");
	chrome_put_instant(chrome, "ts", from_ns);
	chrome_put_instant(chrome, "dur", number_difference(leave_ns, from_ns));
	fputs(",\"cat\":\"mpi_released\"}", chrome->out);
	chrome_begin_event(chrome, 's', from, COLLECTIVES_TRACK, "awaited");
	chrome_put_instant(chrome, "ts", from_ns + 1);
	fprintf(chrome->out, ",\"cat\":\"wait\",\"id\":%llu}", (unsigned long long)id);
	chrome_begin_event(chrome, 'f', to, COLLECTIVES_TRACK, "awaited");
	chrome_put_instant(chrome, "ts", leave_ns - 1);
	fprintf(chrome->out, ",\"cat\":\"wait\",\"bp\":\"e\",\"id\":%llu}", (unsigned long long)id);
}

/* Clocks of two hosts are compared with an error: an arrow must not lead back in time. */
static void write_release(struct chrome *chrome, const struct chrome_arrival *awaited,
			  size_t process, uint64_t leave)
{
	int64_t from_ns = number_difference(awaited->enter_ns, chrome->start_ns);
	int64_t leave_ns = chrome_instant(chrome, process, leave);

	if (from_ns < number_difference(leave_ns, 1))
		write_arrow(chrome, from_ns, awaited->process - 1, leave_ns, process);
}

static void write_collective(struct chrome *chrome, const struct profile *profile,
			     const struct process *process,
			     const struct profile_mpi_collective *row)
{
	uint64_t leave = row->leave_ns ? row->leave_ns : process->life.end_ns;
	const struct chrome_collective *collective =
		chrome_collectives_find(chrome->collectives, profile, row);
	int64_t enter_ns = number_sum((int64_t)row->enter_ns, chrome->offset_of[process->index]);
	const struct chrome_arrival *awaited =
		collective ? chrome_collectives_awaited(collective, profile, row, enter_ns) : NULL;

	if (leave < row->enter_ns)
		return;
	chrome_begin_event(chrome, 'X', process->index, COLLECTIVES_TRACK,
			   profile->mpi_names.rows[row->call].name);
	chrome_put_instant(chrome, "ts", number_difference(enter_ns, chrome->start_ns));
	chrome_put_instant(chrome, "dur", (int64_t)(leave - row->enter_ns));
	fputs(",\"cat\":\"mpi\",\"args\":{", chrome->out);
	chrome_put_place(chrome, profile, row->callpath);
	fprintf(chrome->out, ",\"sequence\":%llu", (unsigned long long)row->sequence);
	if (awaited)
		fprintf(chrome->out, ",\"waited_for_rank\":%llu",
			(unsigned long long)chrome->export->run->processes[awaited->process - 1]
				.rank);
	fputs("}}", chrome->out);
	if (awaited)
		write_release(chrome, awaited, process->index, leave);
}

void chrome_write_collectives(struct chrome *chrome, const struct profile *profile,
			      const struct process *process)
{
	if (!profile->mpi_collectives.count)
		return;
	chrome_name_track(chrome, "thread_name", process->index, COLLECTIVES_TRACK,
			  "MPI collectives");
	for (size_t i = 0; i < profile->mpi_collectives.count; i++)
		write_collective(chrome, profile, process, &profile->mpi_collectives.rows[i]);
}
