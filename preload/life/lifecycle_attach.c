/* SPDX-License-Identifier: MIT */
#include "preload/life/lifecycle.h"
#include "preload/life/lifecycle_parts.h"

#include "preload/base/clock.h"
#include "preload/base/descriptors.h"
#include "preload/base/kernel_call.h"
#include "preload/base/pages.h"
#include "preload/base/small_file.h"
#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/base/thread_file.h"
#include "preload/concurrency/concurrency.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/locks/objects.h"
#include "preload/process/affinity.h"
#include "preload/process/entry.h"
#include "preload/process/process_row.h"
#include "preload/process/real.h"
#include "preload/process/run_directory.h"
#include "preload/process/settings.h"
#include "preload/samples/handler_relay.h"
#include "preload/samples/sampler.h"
#include "preload/life/thread_record.h"
#include "preload/thread/overhead.h"
#include "preload/thread/thread_life.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

enum {
	DIRECTORY_BYTES = 16384, /* read at once */
	PASSES_MOST = 8,
	LEAVING_NS = 1000000, /* a thread that has run so long has left the profiler's code */
};

/* ---- records */

/* Threads by the records that they had: each gets the same again. One may still be in a call that
 * began with it, and would come back to the record of another thread. */
struct earlier {
	int32_t tids[THREAD_LIMIT]; /* 0: it has ended, or had none: the record is free */
	struct io_thread *io[THREAD_LIMIT];
	struct omp_thread *omp[THREAD_LIMIT];
	uint32_t count, free; /* records; those before `free` are in use */
};

static struct earlier *earlier; /* while they are given out */

static struct thread *next_record(void)
{
	while (earlier && earlier->free < earlier->count) {
		uint32_t index = earlier->free++;
		if (!earlier->tids[index])
			return thread_at(index);
	}
	return thread_reserve();
}

/* ---- the threads that there are ---- */

static bool is_known(int32_t tid)
{
	for (uint32_t i = 0, count = thread_count(); i < count; i++) {
		const struct thread *thread = thread_at(i);
		if (thread && thread->tid == tid && thread->row->flags & THREAD_ALIVE)
			return true;
	}
	return false;
}

/* The number that a thread of /proc has here: a namespace of processes may see the /proc of an
 * outer one. 0: it has ended. */
static int32_t find_tid(int32_t number)
{
	char path[64], status[1024];
	struct text text = TEXT(path);
	int32_t tid = 0;

	if (thread_file_numbers_are_ours(system_pid()))
		return number;
	text_add(&text, "/proc/self/task/");
	text_add_number(&text, (uint64_t)number);
	text_add(&text, "/status");
	if (small_file_read(path, status, sizeof status) <= 0)
		return 0;
	const char *numbers = strstr(status, "\nNSpid:");
	for (numbers = numbers ? strchr(numbers, '\t') : NULL; numbers && *numbers == '\t';) {
		numbers++;
		tid = (int32_t)text_read_number(&numbers);
	}
	return tid;
}

/* number: that of /proc. True: the record is that thread's now; otherwise it is free. */
static bool add_thread(struct thread *thread, int32_t tid, int32_t number)
{
	if (!thread)
		return false;
	thread_release(thread); /* whether it will be joined is not known */
	affinity_add_thread(tid);
	if (!thread_begin_other(thread, tid, number)) {
		thread_cancel_reservation(thread);
		return false;
	}
	thread_set_absent(thread);
	sampler_arm_other(thread);
	return true;
}

/* The numbers of a part of the directory. Returns how many threads were added. */
static unsigned add_entries(const char *entries, long bytes)
{
	unsigned added = 0;

	for (long at = 0; at < bytes;) {
		const struct dirent64 *entry = (const void *)(entries + at);
		const char *name = entry->d_name;
		int32_t number = (int32_t)text_read_number(&name);
		int32_t tid = number ? find_tid(number) : 0;
		added += tid && !is_known(tid) && add_thread(next_record(), tid, number);
		at += entry->d_reclen;
	}
	return added;
}

/* Reading the directory needs a descriptor, and so do the records: it is read first. */
static unsigned add_threads_once(char *entries)
{
	struct descriptor directory;
	long bytes = 0, got = 1;

	if (descriptors_open(&directory, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
		return 0;
	while (got > 0 && bytes + DIRECTORY_BYTES <= (long)THREAD_LIMIT * 32) {
		got = kernel_call(SYS_getdents64, directory.number, entries + bytes,
				  DIRECTORY_BYTES);
		bytes += got > 0 ? got : 0;
	}
	descriptors_close(&directory);
	return add_entries(entries, bytes);
}

void lifecycle_attach_threads(void)
{
	size_t bytes = (size_t)THREAD_LIMIT * 32;
	int saved = errno;
	char *entries = pages_new(bytes);

	for (int i = 0; entries && i < PASSES_MOST && add_threads_once(entries); i++)
		;
	if (entries)
		pages_free(entries, bytes);
	errno = saved;
}

/* ---- an earlier profile ---- */

/* Since the profile ended: it has run on, or waits in the kernel. Where it waits in a call of ours,
 * it finds an empty record when that returns, as in a fork child. */
static bool has_left(const struct thread *thread)
{
	if (thread_read_other_cpu(thread) >= thread->before_cpu_ns + LEAVING_NS ||
	    !thread_record_lives(thread))
		return true;
	char state = thread_other_state(thread);
	return !state || state == 'S' || state == 'D' || state == 'Z';
}

static bool have_all_left(void)
{
	int own = (int)kernel_call(SYS_gettid);

	for (uint32_t i = 0, count = thread_count(); i < count; i++) {
		const struct thread *thread = thread_at(i);
		if (!thread)
			continue;
		if (thread_is_being_born(thread))
			return false;
		if (thread->handle && thread->tid != own && !has_left(thread))
			return false;
	}
	return true;
}

static bool forget_earlier(void)
{
	earlier = pages_new(sizeof *earlier);
	if (!earlier)
		return false;
	for (uint32_t i = 0, count = thread_count(); i < count; i++) {
		const struct thread *thread = thread_at(i);
		if (!thread || !thread->row)
			continue;
		thread_record_take_away(thread);
		if ((!thread->handle && !thread->is_absent) || !thread_record_lives(thread))
			continue;
		earlier->tids[i] = thread->tid;
		earlier->io[i] = thread->io;
		earlier->omp[i] = thread->omp;
	}
	earlier->count = thread_count();
	store_free_buried();
	lifecycle_forget();
	return true;
}

static void add_earlier(void)
{
	for (uint32_t i = 0; i < earlier->count; i++) {
		struct thread *thread = thread_reserve_next();
		if (!thread)
			return;
		thread->io = earlier->io[i];
		thread->omp = earlier->omp[i]; /* is_omp_stale */
		if (thread->io)
			thread_renew_io(thread);
		if (earlier->tids[i])
			add_thread(thread, earlier->tids[i], earlier->tids[i]);
	}
}

/* ---- begin and end ---- */

static void forget_records(void)
{
	struct earlier *done = earlier;

	if (!done)
		return;
	for (uint32_t i = done->free; i < done->count; i++)
		if (!done->tids[i] && thread_at(i) && thread_at(i)->row)
			thread_cancel_reservation(thread_at(i));
	earlier = NULL;
	pages_free(done, sizeof *done);
}

static int open_profile(uint64_t start_ns, uint64_t start_cpu_ns)
{
	life.state = STATE_DETACHED;
	object_forget_births(); /* what was destroyed since nobody has seen */
	sampler_come_back();
	handler_relay_begin();
	int error = lifecycle_open_tables(&start_ns, start_ns, start_cpu_ns);

	if (error) {
		store_forget();
		process_row = NULL;
		return error == -EAGAIN ? -EBADF : error; /* descriptors.h */
	}
	process_row_begin_cpu(clock_process_cpu_ns());
	concurrency_begin_late(settings.switches);
	if (!settings.switches)
		note_once(NOTE_SWITCHES_OFF, 0);
	if (earlier)
		add_earlier();
	lifecycle_attach_threads();
	process_row_set_processors(); /* those of all threads */
	note_once(NOTE_ATTACHED, process_row->threads_started);
	overhead_write();
	lifecycle_note_limits();
	process_row->start_cost_ns = clock_thread_cpu_ns() - start_cpu_ns;
	__atomic_store_n(&life.state, STATE_ACTIVE, __ATOMIC_RELEASE);
	return 0;
}

int lifecycle_attach(void)
{
	static bool awaits_exit;
	uint64_t start_ns = clock_now_ns(), cpu_ns = clock_thread_cpu_ns();
	int saved = errno;

	if (!entry_is_late || (state_now() != STATE_BEFORE && state_now() != STATE_DETACHED))
		return -EALREADY;
	real_need();
	if (state_now() == STATE_BEFORE)
		lifecycle_start_parts((int32_t)kernel_call(SYS_gettid));
	else if (!have_all_left())
		return -EAGAIN;
	else if (!forget_earlier())
		return -ENOMEM;
	run_directory_forget();
	int error = open_profile(start_ns, cpu_ns);
	forget_records();
	if (!error && !awaits_exit)
		lifecycle_await_exit();
	awaits_exit = awaits_exit || !error;
	errno = saved;
	return error;
}

/* Threads that ended without ever taking their records: nobody has told so. */
static void end_absent(void)
{
	for (uint32_t i = 0, count = thread_count(); i < count; i++) {
		struct thread *thread = thread_at(i);
		if (thread && __atomic_load_n(&thread->is_absent, __ATOMIC_ACQUIRE) &&
		    !thread_record_lives(thread))
			thread_end_other(thread);
	}
}

void lifecycle_calm(void)
{
	int32_t tid = (int32_t)kernel_call(SYS_gettid);
	struct thread *own = NULL;

	for (uint32_t i = 0, count = thread_count(); i < count && !own; i++)
		if (thread_at(i) && thread_at(i)->tid == tid && thread_at(i)->timer >= 0)
			own = thread_at(i);
	sampler_calm(own);
}

int lifecycle_detach(void)
{
	int saved = errno;

	if (state_now() != STATE_ACTIVE || !entry_is_late)
		return -ENOENT;
	sampler_leave_all();
	handler_relay_end();
	end_absent();
	lifecycle_close_profile(FORMAT_STATE_DETACHED, 0);
	concurrency_end_late();
	store_leave();
	__atomic_store_n(&life.state, STATE_DETACHED, __ATOMIC_RELEASE);
	errno = saved;
	return 0;
}
