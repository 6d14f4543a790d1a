/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_rows.h"

#include "analyze/base/key_hash.h"
#include "analyze/model/common/io_direction.h"

#define NO_ROUTINE UINT64_MAX

/* Rows of a file may get other numbers while it grows; what the object is does not change. */
static uint64_t object_identity(const struct profile *profile, size_t index)
{
	const struct profile_object *object = &profile->objects.rows[index];
	uint64_t words[] = {object->address, object->offset, object->module, object->kind};

	if (!index)
		return 0;
	unsigned low = hash_text(object->name, hash_bytes(words, sizeof words, 1));

	return (uint64_t)low << 32 | hash_bytes(words, sizeof words, low);
}

static void set_place(struct live_key *key, struct names *names, const struct profile *profile,
		      size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);

	key->c = frame ? frame->routine : NO_ROUTINE;
	key->d = frame ? frame->line : 0;
}

static void add_routines(struct live_sums *sums, struct names *names, const struct profile *profile)
{
	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *row = &profile->samples.rows[i];
		const struct frame *frames;
		size_t count = names_frames(names, profile, row->callpath, &frames);
		struct live_key key = {.what = LIVE_ROUTINE,
				       .a = count ? frames[0].routine
						  : names_special(names, "[unknown]")};
		struct live_sum *sum = live_sums_at(sums, &key);

		sum->values[0] += row->cpu_ns;
		sum->values[1] += row->count;
	}
}

static void add_wait(struct live_sums *sums, struct names *names, const struct profile *profile,
		     const struct profile_wait *wait)
{
	struct live_key key = {
		.what = LIVE_WAIT, .a = object_identity(profile, wait->object), .b = wait->cause};

	set_place(&key, names, profile, wait->callpath);
	struct live_sum *sum = live_sums_at(sums, &key);

	sum->values[0] += wait->sum_ns;
	sum->values[1] += wait->count;
	sum->object = wait->object;
	sum->callpath = wait->callpath;
	sum->row = wait->operation;
	if (!cause_is_io(wait->cause))
		return;
	key = (struct live_key){.what = LIVE_IO, .a = key.a};
	sum = live_sums_at(sums, &key);
	sum->values[3] += wait->sum_ns;
	sum->object = wait->object;
	sum->row = wait->operation;
}

static void add_blame(struct live_sums *sums, struct names *names, const struct profile *profile)
{
	for (size_t i = 0; i < profile->blame.count; i++) {
		const struct profile_blame *row = &profile->blame.rows[i];
		struct live_key key = {.what = LIVE_BLAME,
				       .a = object_identity(profile, row->object),
				       .b = row->cause};

		if (!row->callpath)
			continue;
		set_place(&key, names, profile, row->callpath);
		struct live_sum *sum = live_sums_at(sums, &key);

		sum->values[0] += row->time_ns;
		sum->callpath = row->callpath;
	}
}

static struct live_sum *mpi_sum(struct live_sums *sums, struct names *names,
				const struct profile *profile, size_t index)
{
	const struct profile_mpi_call *row = &profile->mpi_calls.rows[index];
	const char *name = names_keep(names, profile->mpi_names.rows[row->call].name);
	struct live_key key = {.what = LIVE_MPI, .a = (uintptr_t)name};

	set_place(&key, names, profile, row->callpath);
	struct live_sum *sum = live_sums_at(sums, &key);

	sum->callpath = row->callpath;
	sum->row = index;
	return sum;
}

static void add_mpi(struct live_sums *sums, struct names *names, const struct profile *profile)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];
		struct live_sum *sum = mpi_sum(sums, names, profile, i);

		sum->values[0] += row->sum_ns;
		sum->values[1] += row->count;
		sum->values[2] += row->bytes_sent + row->bytes_received;
	}
}

static void add_io(struct live_sums *sums, const struct profile *profile)
{
	for (size_t i = 0; i < profile->io_calls.count; i++) {
		const struct profile_io_call *row = &profile->io_calls.rows[i];
		struct live_key key = {.what = LIVE_IO, .a = object_identity(profile, row->object)};
		struct live_sum *sum = live_sums_at(sums, &key);
		enum io_direction direction = io_direction_of(row->operation);

		sum->values[0] += direction == IO_READ ? row->bytes : 0;
		sum->values[1] += direction == IO_WRITTEN || direction == IO_MOVED ? row->bytes : 0;
		sum->values[2] += row->count;
		sum->object = row->object;
		sum->row = row->operation;
	}
}

/* The MPI call that a thread is in: its row counts it already. */
static void add_open_mpi(struct live_sums *sums, struct names *names, const struct profile *profile,
			 size_t thread, uint64_t ns)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++)
		if (profile->mpi_calls.rows[i].thread == thread &&
		    profile->mpi_calls.rows[i].callpath ==
			    profile->threads.rows[thread].waiting_path) {
			mpi_sum(sums, names, profile, i)->values[0] += ns;
			return;
		}
}

/* Waits are in the tables when they have ended; what is under way counts as far as it has come, so
 * that two readings differ by the time between them. */
static void add_open_wait(struct live_sums *sums, struct names *names,
			  const struct profile *profile, size_t index, uint64_t now_ns)
{
	const struct profile_thread *thread = &profile->threads.rows[index];
	uint64_t since_ns = thread->waiting_since_ns;

	/* the OpenMP runtime's own waits are in add_openmp */
	if (!(thread->flags & THREAD_ALIVE) || !since_ns || since_ns >= now_ns ||
	    (thread->waiting_cause == CAUSE_OPENMP && !thread->waiting_object))
		return;
	if (thread->waiting_cause == CAUSE_MPI) {
		add_open_mpi(sums, names, profile, index, now_ns - since_ns);
		return;
	}
	const struct profile_wait open = {.object = thread->waiting_object,
					  .cause = thread->waiting_cause,
					  .callpath = thread->waiting_path,
					  .sum_ns = now_ns - since_ns};

	add_wait(sums, names, profile, &open);
}

/* The OpenMP runtime's waits for other threads have no object and no place. */
static void add_openmp(struct live_sums *sums, const struct profile *profile, uint64_t now_ns)
{
	const struct live_key key = {.what = LIVE_WAIT, .b = CAUSE_OPENMP, .c = NO_ROUTINE};

	for (size_t i = 0; i < profile->omp_threads.count; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];
		struct live_sum *sum = live_sums_at(sums, &key);

		sum->values[0] += row->wait_ns;
		if (row->since_ns && row->since_ns < now_ns)
			sum->values[0] += now_ns - row->since_ns;
	}
}

void live_rows_add(struct live_sums *sums, struct names *names, const struct profile *profile,
		   uint64_t now_ns)
{
	add_routines(sums, names, profile);
	for (size_t i = 0; i < profile->waits.count; i++)
		add_wait(sums, names, profile, &profile->waits.rows[i]);
	for (size_t i = 1; i < profile->threads.count; i++)
		add_open_wait(sums, names, profile, i, now_ns);
	add_openmp(sums, profile, now_ns);
	add_blame(sums, names, profile);
	add_mpi(sums, names, profile);
	add_io(sums, profile);
}
