/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_process.h"

#include "preload/base/clock.h"
#include "preload/base/tsc_clock.h"
#include "preload/file/note.h"
#include "preload/file/rows.h"
#include "preload/process/entry.h"
#include "preload/process/job.h"

#include <errno.h>
#include <string.h>

enum { NAMES_MOST = 1024 };

bool mpi_process_is_live;
bool mpi_process_is_paused;

static struct {
	struct row_mpi_process *row;
	bool has_looked; /* atomic */
	uint64_t init_begin_ns, init_end_ns, paused_ns;
	bool is_session;
	uint16_t names[MPI_CALL_COUNT]; /* atomic */
} process;

static struct row_array names = {
	.table = TABLE_mpi_names,
	.row_bytes = sizeof(struct row_mpi_names),
	.rows_per_block = 32,
	.limit = NAMES_MOST,
	.next = 1,
};

/* All this belongs to the parent's file. */
void mpi_process_forget(void)
{
	memset(&process, 0, sizeof process);
	row_array_reset(&names);
	mpi_process_is_paused = false;
	if (entry_is_late)
		mpi_process_is_live = false; /* until it is asked again */
}

uint16_t mpi_process_name(enum mpi_call_number number)
{
	uint16_t known = __atomic_load_n(&process.names[number], __ATOMIC_ACQUIRE);
	uint32_t made;

	if (known)
		return known;
	struct row_mpi_names *row = row_array_add(&names, &made);
	if (!row)
		return 0;
	row->class = mpi_calls[number].class;
	__atomic_store_n(&row->name, store_string(mpi_calls[number].name), __ATOMIC_RELEASE);
	__atomic_store_n(&process.names[number], (uint16_t)made, __ATOMIC_RELEASE);
	return (uint16_t)made;
}

static uint32_t flags_at_start(void)
{
	mpi_word parent = 0;

	return !MPI_ASK(Comm_get_parent, &parent) && mpi_abi && mpi_handle(parent) &&
			       mpi_handle(parent) != mpi_abi->comm_null
		       ? MPI_SPAWNED
		       : 0;
}

/* flags: not asked here, because without a world (sessions) there is no parent to ask for. */
static void add_row(int32_t size, int32_t rank, uint32_t flags)
{
	struct format_block *block = store_block(TABLE_mpi_process, sizeof(struct row_mpi_process),
						 FORMAT_NO_OWNER, 0, 1);
	int32_t version = 0, subversion = 0;

	if (!block)
		return;
	struct row_mpi_process *row = store_rows(block);
	MPI_ASK(Get_version, &version, &subversion);
	row->library = store_string(mpi_abi_library());
	row->version = (uint32_t)(version * 100 + subversion);
	row->abi = mpi_abi ? mpi_abi->kind : MPI_ABI_NONE;
	row->init_begin_ns = process.init_begin_ns;
	row->init_end_ns = process.init_end_ns;
	row->init_realtime_ns = clock_read_ns(CLOCK_REALTIME);
	row->rank = (uint32_t)rank;
	row->flags = flags;
	int saved = errno;
	row->job = size > 1 ? job_number() : 0;
	errno = saved;
	__atomic_store_n(&row->size, (uint32_t)size, __ATOMIC_RELEASE);
	process.row = row;
}

void mpi_process_begin_init(uint64_t now_ns)
{
	tsc_clock_calibrate();
	if (!process.init_begin_ns)
		process.init_begin_ns = now_ns;
}

/* MPI_Init may have failed, or may be another library's. */
static bool is_initialized(bool is_session)
{
	int32_t flag = 0;

	return is_session || (!MPI_ASK(Initialized, &flag) && flag);
}

void mpi_process_end_init(uint64_t now_ns, const int32_t *provided, bool is_session)
{
	int32_t size = 0, rank = 0, level = 0;

	tsc_clock_calibrate();
	if (!is_initialized(is_session))
		return;
	mpi_abi_find();
	if (!mpi_abi)
		note_once(NOTE_MPI_UNKNOWN, 0);
	mpi_process_is_live = mpi_abi != NULL;
	process.init_end_ns = now_ns;
	/* with sessions only, MPI_COMM_WORLD must not be used: see mpi_process_grow */
	if (process.row || !mpi_abi || is_session ||
	    MPI_ASK(Comm_size, mpi_abi->comm_world, &size) ||
	    MPI_ASK(Comm_rank, mpi_abi->comm_world, &rank))
		return;
	add_row(size, rank, flags_at_start());
	if (!process.row)
		return;
	if (provided)
		level = *provided;
	else
		MPI_ASK(Query_thread, &level);
	process.row->thread_level = mpi_abi_level(level);
}

void mpi_process_look(uint64_t now_ns)
{
	if (__atomic_exchange_n(&process.has_looked, true, __ATOMIC_ACQ_REL))
		return;
	mpi_process_begin_init(now_ns);
	mpi_process_end_init(now_ns, NULL, false);
	if (mpi_process_is_live)
		note_once(NOTE_MPI_ATTACHED, 0);
	else
		process.init_begin_ns = process.init_end_ns = 0;
}

void mpi_process_grow(int32_t size, int32_t rank)
{
	if (!process.row) {
		process.is_session = true;
		add_row(size, rank, 0);
	} else if (process.is_session && (uint32_t)size > process.row->size) {
		process.row->rank = (uint32_t)rank;
		process.row->size = (uint32_t)size;
	}
}

void mpi_process_spawned(int32_t count)
{
	if (process.row && count > 0)
		__atomic_fetch_add(&process.row->spawned, (uint64_t)count, __ATOMIC_RELAXED);
}

void mpi_process_begin_finalize(uint64_t now_ns)
{
	mpi_process_is_live = false;
	if (process.row)
		process.row->finalize_begin_ns = now_ns;
}

void mpi_process_end_finalize(uint64_t now_ns)
{
	if (!process.row)
		return;
	process.row->finalize_realtime_ns = clock_read_ns(CLOCK_REALTIME);
	process.row->finalize_end_ns = now_ns;
	process.row->flags |= MPI_FINALIZED;
}

void mpi_process_abort(int32_t code)
{
	if (!process.row)
		return;
	process.row->abort_code = (uint32_t)code;
	process.row->flags |= MPI_ABORTED;
}

void mpi_process_pause(bool pause, uint64_t now_ns)
{
	if (pause == mpi_process_is_paused)
		return;
	mpi_process_is_paused = pause;
	if (pause) {
		process.paused_ns = now_ns;
		note_once(NOTE_MPI_SWITCHED_OFF, 0);
		if (process.row)
			process.row->flags |= MPI_SWITCHED_OFF;
	} else if (process.row) {
		process.row->unrecorded_ns += now_ns - process.paused_ns;
	}
}

void mpi_process_lost_request(void)
{
	note_once(NOTE_MPI_REQUESTS_FULL, 0);
	if (process.row)
		__atomic_fetch_add(&process.row->requests_lost, 1, __ATOMIC_RELAXED);
}
